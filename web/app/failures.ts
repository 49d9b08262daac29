import { Refusal } from '@clear-to-post/contract/errors'
import { inLanguage } from './language.ts'

/** The words for a failure, the next step included. */
export const failureWords = (error: unknown): string => (error instanceof Refusal ? error.message : words.unreachable)

/** Whether the service knows no such thing, whatever stands in the address: what is no id names nothing either. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Refusal && ['not-found', 'invalid-argument'].includes(error.kind)

/** Whether asking again is of no use to this person. */
export const isForbidden = (error: unknown): boolean => error instanceof Refusal && error.kind === 'forbidden'

const words = inLanguage({
  en: { unreachable: 'The service could not be reached. Check your connection and try again.' },
})
