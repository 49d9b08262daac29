import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Is it you?',
    text: 'You signed in a while ago. Write your password to go on.',
    byNewSignIn: 'You signed in a while ago. Sign in again, and come back here within ten minutes.',
    password: 'Password',
    needPassword: 'Write your password.',
    goOn: 'Go on',
    signInAgain: 'Sign in again',
    stop: 'Cancel',
  },
})
