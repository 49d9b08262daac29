import type { Trigger } from '@clear-to-post/contract/notifications'
import { useProducts } from './use-triggers.ts'
import { audienceWords } from './words.ts'

/** Whom a trigger means, with the names of the plans. */
export const AudienceWords = ({ trigger }: { trigger: Trigger }) => {
  const products = useProducts()
  return audienceWords(trigger, new Map(products.data?.map(({ id, name }) => [id, name])))
}
