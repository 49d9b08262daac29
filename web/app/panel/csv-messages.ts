import { inLanguage } from '../language.ts'

export const messages = inLanguage({ en: { download: 'As CSV' } })
