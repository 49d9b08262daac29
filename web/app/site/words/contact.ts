import { inLanguage } from '../../language.ts'

export const words = inLanguage({
  en: {
    title: 'Another question?',
    lead: 'Write to us. A person reads it and answers by e-mail.',
    email: 'Your e-mail',
    message: 'Your message',
    subject: 'A question from the site',
    send: 'Send',
    sending: 'Sending',
    sent: 'Thank you. Your message is on its way to us.',
    failed: 'Your message was not sent. Check your e-mail address and try again. If it fails again, try tomorrow.',
  },
})
