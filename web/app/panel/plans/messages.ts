import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Plans',
    chosen: (name: string, period: string, price: string) => `You chose ${name}, ${period}: ${price}`,
    month: 'monthly',
    year: 'yearly',
    next: 'Paying by card is not open yet. Ask for the plan: we set it up with you by e-mail, and nothing is charged before you agree.',
    ask: 'Ask for this plan',
    asked: 'We have your wish, and answer to your e-mail address.',
    subject: (name: string, period: string) => `Plan: ${name}, ${period}`,
    body: (who: string, plan: string) => `${who} asks for the plan ${plan}.`,
    running: (name: string) => `Your plan is ${name}.`,
    none: 'You have no plan yet. Your first video is free.',
    pick: 'Choose one; you can still change your mind.',
    empty: 'There is nothing to choose at the moment. Write to us from the front page.',
  },
})
