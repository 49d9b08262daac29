import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Is it you?',
    text: 'You signed in a while ago. Write your password to go on.',
    textWithCode: 'You signed in a while ago. Write your password and a code to go on.',
    byNewSignIn: 'You signed in a while ago. Sign in again, and come back here within ten minutes.',
    password: 'Password',
    needPassword: 'Write your password.',
    code: 'Code from the app',
    codeHint: 'Or one of your recovery codes. Each works once.',
    needCode: 'Write the six digits from your app, or a recovery code.',
    goOn: 'Go on',
    signInAgain: 'Sign in again',
    stop: 'Cancel',
  },
})
