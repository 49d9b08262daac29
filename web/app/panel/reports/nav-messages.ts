import { inLanguage } from '../../language.ts'

export const messages = inLanguage({ en: { pages: 'Pages of the reports' } })
