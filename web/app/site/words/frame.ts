import { inLanguage } from '../../language.ts'

/** Header, footer and what stands around every public page. */
export const words = inLanguage({
  en: {
    title: 'Clear to Post · Video editing for loan officers',
    description:
      'Video editing for loan officers: talk for two minutes on your phone, get back a captioned video that a reviewer has checked.',
    skip: 'Skip to content',
    logo: 'Clear to Post, home',
    menu: 'Menu',
    foot: 'At the foot',
    home: 'Home',
    how: 'How it Works',
    testimonies: 'Testimonies',
    plans: 'Plans',
    faq: 'FAQ',
    terms: 'Terms',
    privacy: 'Privacy',
    whatsNew: 'What’s new',
    holdsSince: 'These words hold since',
    signIn: 'Sign In',
    panel: 'Panel',
    logout: 'Logout',
    account: 'Your account',
    rights: (year: string) => `© ${year} Clear to Post`,
    counted: 'We count visits to this site.',
    doNotCount: 'Do not count mine',
    notCounted: 'Your visits are not counted on this device.',
    count: 'Count them again',
    notFoundTitle: 'There is no such page',
    notFoundText: 'The link may be old or mistyped. From here you can go on:',
    toHome: 'To the front page',
    toPanel: 'To your panel',
    errorTitle: 'This page did not load',
    errorText: 'Something failed on our side, and we have a note of it. Nothing of yours was lost.',
    again: 'Load it again',
  },
})
