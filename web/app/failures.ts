import { Refusal } from '@clear-to-post/contract/errors'
import { inLanguage } from './language.ts'

/** The words for a failure, the next step included. */
export const failureWords = (error: unknown): string => (error instanceof Refusal ? error.message : words.unreachable)

const words = inLanguage({
  en: { unreachable: 'The service could not be reached. Check your connection and try again.' },
})
