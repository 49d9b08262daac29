import { inLanguage } from '../language.ts'

export const messages = inLanguage({
  en: {
    home: 'Home',
    how: 'How it Works',
    plans: 'Plans',
    faq: 'FAQ',
    signIn: 'Sign In',
    panel: 'Panel',
    menu: 'Menu',
    foot: 'At the foot',
    skip: 'Skip to content',
    logo: 'Clear to Post, home',
    title: ['You talk for', 'two minutes.', 'We make it', 'clear to post.'],
    lead: 'Video editing for loan officers. Record on your phone, send it in, and get back a captioned video that a reviewer has checked before you see it.',
    start: 'Send your first video',
    see: 'See how it works',
    free: 'Your first video is free.',
    send: 'What you send',
    get: 'What you get',
    howTitle: 'Four steps, most of them ours',
    steps: [
      [
        '00:00',
        'Record or upload',
        'Film on your phone or choose a file. The upload goes on after a lost signal, a reload or a closed page.',
      ],
      [
        '00:45',
        'We edit it',
        'An editor cuts the pauses, adds captions in the style you chose, and follows your instructions.',
      ],
      [
        '01:30',
        'We check it',
        'A reviewer watches every cut against the same criteria: pacing, captions, audio, brand, compliance.',
      ],
      [
        '02:00',
        'You post it',
        'Download it, schedule it, or ask for a revision. Every step stands in the project’s history.',
      ],
    ],
    plansTitle: 'Plans',
    plansText: 'Start with your free video. Choose a plan when you want the next one.',
    questionsTitle: 'Questions',
    questions: [
      [
        'How long should my video be?',
        'About two minutes of talking. Several takes are fine: send them together and we edit one video.',
      ],
      [
        'What do I need to record?',
        'A phone. MP4 and MOV from any phone or camera work, also 4K, HDR and upright, up to 4 GB.',
      ],
      [
        'What happens if the upload stops?',
        'It waits and goes on by itself, also after a reload or when you come back to the page later on the same device.',
      ],
      [
        'Can I change something in the result?',
        'Yes. Ask for a revision with a few words; it goes first in your editor’s list.',
      ],
      [
        'Who sees my video?',
        'You, the people who edit and check it, and your company’s own reviewers if it has some. Nobody else.',
      ],
    ],
    caption: ['You might need', '3% down,', 'not 20.'],
    rights: (year: number) => `© ${year} Clear to Post`,
  },
})
