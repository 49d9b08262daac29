import { inLanguage } from '../language.ts'

/** Apart from the page's other texts: these travel to the visitor as script, the others as HTML. */
export const messages = inLanguage({
  en: {
    aMonth: 'a month',
    aYear: 'a year',
    orYearly: (price: string) => `or ${price} a year`,
    videosAMonth: (n: number) => (n === 1 ? '1 video a month' : `${n} videos a month`),
    turnaround: (hours: number) => `Ready within ${hours} hours`,
    revisions: (n: number) => (n === 1 ? '1 revision per video' : `${n} revisions per video`),
  },
})
