/**
 * The languages the product speaks. Every room keeps its texts in one `messages.ts` as `inLanguage({ en: {…} })`;
 * adding 'es' here makes the compiler name each room whose Spanish is missing.
 */
export const languages = ['en'] as const
export type Language = (typeof languages)[number]

export const language: Language = 'en'

/** For Intl. Dates and numbers are the viewer's own; words are ours. */
export const locale = { en: 'en-US' }[language]

export const inLanguage = <Messages>(messages: Record<Language, Messages>): Messages => messages[language]
