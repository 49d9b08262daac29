import { inLanguage } from '../../../language.ts'

/** Remarks about the cut that was sent last, and how they are ticked off. */
export const remarkWords = inLanguage({
  en: {
    title: 'Remarks about the last cut',
    show: (at: string) => `Show ${at}`,
    by: (name: string, text: string) => `${name}: ${text}`,
    done: (name: string, text: string) => `Done. ${name}: ${text}`,
    none: 'No remark is left here.',
    key: {
      next: 'To the next remark that is not ticked off',
      previous: 'To the remark before',
      tick: 'Tick off the remark here, or take it back',
    },
  },
})
