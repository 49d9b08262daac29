import { inLanguage } from '../../language.ts'

export const words = inLanguage({
  en: {
    title: 'Plans',
    lead: 'Begin with the free video. Take a plan when you want the next one.',
    period: 'Billing period',
    month: 'Monthly',
    year: 'Yearly',
    aMonth: 'a month',
    aYear: 'a year',
    off: (percent: number) => `${percent}% off`,
    amountOff: (amount: string) => `${amount} off`,
    forFirst: (periods: number, interval: 'month' | 'year', price: string) =>
      interval === 'month'
        ? `${periods === 1 ? 'The first month' : `For ${periods} months`}, then ${price} a month`
        : `${periods === 1 ? 'The first year' : `For ${periods} years`}, then ${price} a year`,
    before: 'Before:',
    saves: (price: string) => `Saves ${price} over twelve months`,
    videos: (n: number) => (n === 1 ? '1 video a month' : `${n} videos a month`),
    turnaround: (hours: number) => `Ready within ${hours} hours`,
    revisions: (n: number) => (n === 1 ? '1 revision per video' : `${n} revisions per video`),
    captions: (styles: number) => `Captions in ${styles} styles`,
    choose: (name: string) => `Choose ${name}`,
    chosen: (name: string) => `${name} is chosen`,
    yours: 'Your plan',
    next: 'You sign in or open an account first, then confirm the plan. Nothing is charged before you do.',
    loading: 'The plans are loading',
  },
})
