import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Before you go on',
    intro: 'These are our words of today. They are short; read them, and say whether you agree.',
    terms: 'Terms of use',
    privacy: 'Privacy notice',
    since: (day: string) => `since ${day}`,
    agree: 'I agree',
    leave: 'Log out instead',
    changed: 'These words changed a moment ago. Load the page again and read the new ones.',
    again: 'Load again',
  },
})
