import { inLanguage } from '../../language.ts'

export const messages = inLanguage({ en: { pages: 'Pages about money' } })
