import { inLanguage } from '../../language.ts'

export const words = inLanguage({
  en: {
    title: 'Questions',
    list: [
      {
        question: 'How long should my video be?',
        answer:
          'About two minutes of talking. Several takes are fine: send them together and we make one video of them.',
      },
      {
        question: 'What do I need to record?',
        answer: 'A phone. MP4 and MOV from any phone or camera work, also 4K, HDR and upright, up to 4 GB.',
      },
      {
        question: 'I never know what to say. Can you help?',
        answer:
          'Yes. The panel has a library of scripts of about a minute each. Fill in your name and your number, and read.',
      },
      {
        question: 'What happens if the upload stops?',
        answer:
          'It waits and goes on by itself, also after a reload or when you come back to the page later on the same device.',
      },
      {
        question: 'Can I change something in the result?',
        answer: 'Yes. Ask for a revision with a few words; it goes first in your editor’s list.',
      },
      {
        question: 'Can my company’s compliance team review it first?',
        answer:
          'Yes. Your company can name its own reviewers, who see only your company’s videos. Whoever edited a video never approves it.',
      },
      {
        question: 'Who sees my video?',
        answer: 'You, the people who edit and check it, and your company’s own reviewers if it has some. Nobody else.',
      },
    ],
  },
})
