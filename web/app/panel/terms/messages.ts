import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Before you go on',
    intro: 'Please read our terms of use and our privacy notice. Both are short.',
    terms: 'Terms of use',
    privacy: 'Privacy notice',
    since: (day: string) => `since ${day}`,
    agree: 'I agree',
    leave: 'Log out instead',
    changed: 'They changed a moment ago. Load the page again and read the new version.',
    again: 'Load again',
  },
})
