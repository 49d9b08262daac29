import { inLanguage } from '../../language.ts'
import { pageNames } from '../sub-pages.ts'

export const messages = inLanguage({
  en: {
    offered: 'Plans on offer',
    title: pageNames.plans,
    chosen: (name: string, period: string, price: string, isBySeat: boolean) =>
      `You chose ${name}, ${period}: ${price}${isBySeat ? ' a seat' : ''}`,
    month: 'monthly',
    year: 'yearly',
    next: 'You pay on the next page. The plan runs at once, renews by itself, and can be paused or ended at any time.',
    nextByMail: 'Your company is invoiced by e-mail. The plan runs at once.',
    pay: 'Go to payment',
    begin: 'Begin this plan',
    seats: (n: number, total: string) => (n === 1 ? `1 seat: ${total}.` : `${n} seats: ${total}.`),
    same: 'This is the plan you have.',
    toMine: 'Go to my plan',
    counting: 'Working out the difference',
    bigger: (due: string, isByMail: boolean) =>
      `${isByMail ? `An invoice of ${due} comes` : `You pay ${due}`} now: the difference for this period. What you have used counts in the new plan.`,
    newPeriod: (due: string, isByMail: boolean) =>
      `${isByMail ? `An invoice of ${due} comes` : `You pay ${due}`} now: a new period begins, less what was not used of the old plan.`,
    smaller: (credit: string) =>
      `Nothing is charged now. ${credit} is kept for your next invoices: what was not used, by time and by videos.`,
    back: 'Nothing is charged: the open invoice of the change is void, and you have again what you paid.',
    even: 'Nothing is charged now, and nothing comes back: what you paid for is used.',
    details: (charge: string, credit: string) => `New plan ${charge}, old plan back ${credit}`,
    fromCredit: (credit: string) => `from your credit ${credit}`,
    afterwards: (price: string, period: string, date: string) => `From ${date} on: ${price} ${period}.`,
    periods: { month: 'a month', year: 'a year' },
    change: 'Change the plan now',
    changed: (name: string) => `Your plan is ${name} now.`,
    ofCompany: 'Your company’s plan counts for you already. Its admin changes it.',
    staff: 'Plans are bought by loan officers and by a company’s admin.',
    running: (name: string) => `Your plan is ${name}.`,
    none: 'No plan runs.',
    noneCompany: 'No plan runs for your company.',
    free: 'Your first video is free.',
    gone: 'The plan you chose is not on offer. Choose one of these.',
    goneToLook: 'That plan is not on offer.',
    pick: 'Choose one; nothing is charged before you confirm.',
    empty: 'There is nothing to choose at the moment. Write to us on the contact page.',
  },
})
