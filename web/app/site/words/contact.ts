import { inLanguage } from '../../language.ts'

export const words = inLanguage({
  en: {
    pageTitle: 'Contact',
    about: 'Write to the people behind Clear to Post. A person reads it and answers by e-mail.',
    title: 'Another question?',
    lead: 'Write to us. A person reads it and answers by e-mail.',
    email: 'Your e-mail',
    message: 'Your message',
    panelLead: 'Do you have an account?',
    panelLink: 'Ask in your panel.',
    panelText: 'Your videos stand beside your question there, and the answer comes to you by e-mail, too.',
    faqLead: 'In a hurry?',
    faqLink: 'Common questions',
    faqText: 'have their answers on the front page.',
    subject: 'A question from the site',
    send: 'Send',
    sending: 'Sending',
    sent: 'Thank you. Your message is on its way to us.',
    failed: 'Your message was not sent. Check your e-mail address and try again. If it fails again, try tomorrow.',
  },
})
