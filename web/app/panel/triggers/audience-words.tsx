import type { Trigger } from '@clear-to-post/contract/notifications'
import { useCompanies } from '../accounts/use-people.ts'
import { useProducts } from './use-triggers.ts'
import { audienceWords } from './words.ts'

const namesOf = (of: readonly { id: string; name: string }[] | undefined) =>
  new Map(of?.map(({ id, name }) => [id, name]))

/** Says whom a trigger means, with the names of plans and of a company. */
export const useAudienceWords = () => {
  const products = useProducts()
  const companies = useCompanies()
  return (trigger: Trigger) => audienceWords(trigger, namesOf(products.data), namesOf(companies))
}

export const AudienceWords = ({ trigger }: { trigger: Trigger }) => useAudienceWords()(trigger)
