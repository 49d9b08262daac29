import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Confirm your e-mail address',
    bar: (email: string) => `Confirm that ${email} is yours, so that you can send videos.`,
    write: 'Confirm now',
    text: (email: string) => `We sent six digits to ${email}. Write them here.`,
    wrongAddress: 'Not your address? Change it in your profile, under Sign-in.',
    confirm: 'Confirm',
    later: 'Later',
    confirmed: 'Your e-mail address is confirmed',
  },
})
