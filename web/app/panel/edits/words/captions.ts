import { inLanguage } from '../../../language.ts'

/** Captions on the picture and on their track, and finding words in them. */
export const captionWords = inLanguage({
  en: {
    track: 'Captions, page by page',
    pageAt: (text: string, from: string, to: string) => `Caption ${from} to ${to}: ${text}`,
    edit: (text: string) => `Edit the caption: ${text}`,
    editor: 'Edit this caption',
    text: 'Caption',
    hint: 'Enter closes. Ctrl+Enter splits at the cursor.',
    split: 'Split here',
    joinBefore: 'Join with the one before',
    joinAfter: 'Join with the next',
    noCaption: 'There is no caption here.',
    soon: 'The captions are being drawn. This one opens as soon as it is there.',
    inSecond: 'The second language is written sentence by sentence, under Captions.',
    tooLong: 'These words do not fit in one caption.',
    notHere: 'Put the cursor between two words first.',
    find: 'Find and replace…',
    findTitle: 'Find and replace in the captions',
    findText: 'Find',
    findHint: 'Whole words, small or capital letters.',
    replaceText: 'Replace with',
    found: (n: number) => (n === 0 ? 'Not in the captions.' : n === 1 ? 'Found once.' : `Found ${n} times.`),
    showNext: 'Show the next',
    replaceAll: 'Replace all',
    replaced: (n: number) => (n === 1 ? 'Replaced once.' : `Replaced ${n} times.`),
    did: {
      written: 'Write a caption',
      split: 'Split a caption',
      joined: 'Join captions',
      moved: 'Caption end',
      replaced: (text: string) => `Replace “${text}”`,
    },
    key: {
      edit: 'Edit the caption here, on the picture',
      find: 'Find and replace in the captions',
      page: 'Begin a new caption at the word, or not',
    },
  },
})
