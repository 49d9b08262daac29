import { inLanguage } from '../../../language.ts'

/** In which order passages and sentences are played. */
export const orderWords = inLanguage({
  en: {
    earlier: 'Play it earlier',
    later: 'Play it later',
    nothing: 'Choose a passage on the timeline, or words in the transcript, first.',
    noRow: 'Choose passages that follow each other.',
    isFirst: 'Nothing is played before it.',
    isLast: 'Nothing is played after it.',
    did: {
      passage: 'Move a passage',
      slipped: 'Slip a passage',
      words: (n: number) => (n === 1 ? 'Move 1 word' : `Move ${n} words`),
    },
    key: {
      earlier: 'Play the passage, or the words, before what comes before',
      later: 'Play the passage, or the words, after what comes next',
    },
  },
})
