import { inLanguage } from '../../language.ts'

/** What leads to the page from elsewhere. */
export const webhookWords = inLanguage({ en: { title: 'Webhooks' } })
