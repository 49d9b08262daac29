import type { TranslationLanguage } from '@clear-to-post/edit/translation'
import { inLanguage } from '../../../language.ts'

/** A second language for the captions. */
export const translationWords = inLanguage({
  en: {
    title: 'Second language',
    explain: 'Captions in another language: a subtitle file of their own, or in the video in place of the captions.',
    language: 'Language',
    choose: 'Choose a language',
    languages: {
      es: 'Spanish',
      pt: 'Portuguese',
      fr: 'French',
      ht: 'Haitian Creole',
      vi: 'Vietnamese',
      tl: 'Tagalog',
      de: 'German',
      it: 'Italian',
      pl: 'Polish',
    } satisfies Record<TranslationLanguage, string>,
    inPicture: (language: string) => `Show ${language} in the video instead of the captions`,
    progress: (done: number, all: number) => `${done} of ${all} ${all === 1 ? 'sentence' : 'sentences'} translated`,
    noSentences: 'Nothing is said in this video.',
    forTranslator: 'Save for a translator',
    readFile: 'Read a translated file',
    fileHint: 'SRT or WebVTT with the same times. Sentences it does not hold stay as they are.',
    filed: (n: number) => (n === 1 ? 'One sentence was read.' : `${n} sentences were read.`),
    noneFiled: 'No sentence of this video is in that file. Choose an SRT or WebVTT file with the video’s times.',
    tooLarge: 'This file is too large to be subtitles. Choose another one.',
    remove: 'Remove this language',
    jump: (at: string) => `Show ${at} in the video`,
    changed: (of: string) => `The sentence has changed since. It was: “${of}”`,
    holds: 'It still holds',
    did: {
      begun: (language: string) => `Second language: ${language}`,
      removed: 'Remove the second language',
      shown: (language: string) => `Captions in ${language}`,
      hidden: 'Captions as they are said',
      written: 'Translate a sentence',
      read: 'Read a translated file',
      kept: 'Keep a translation',
    },
  },
})
