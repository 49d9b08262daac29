import { inLanguage } from '../../../language.ts'

/** Finding words in the transcript. */
export const findWords = inLanguage({
  en: {
    title: 'Find words',
    find: 'Words, or how they begin',
    places: 'Where they are said',
    hint: 'Enter selects them in the transcript.',
    found: (n: number) => (n === 0 ? 'Nobody says that.' : n === 1 ? 'Said once.' : `Said ${n} times.`),
    key: { find: 'Find words in the transcript', sentence: 'Select the whole sentence' },
  },
})
