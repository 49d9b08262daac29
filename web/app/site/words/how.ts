import { inLanguage } from '../../language.ts'

export const words = inLanguage({
  en: {
    title: 'Four steps, most of them ours',
    lead: 'Your part takes as long as your video. You see at any time where it is, who has it, and when it will be ready.',
    steps: [
      {
        title: 'Record or upload',
        text: 'Read a script from the library or say it your way. The upload goes on after a lost signal, a reload or a closed page.',
      },
      {
        title: 'We edit it',
        text: 'An editor cuts the pauses, corrects the light, adds captions in the style you chose, and follows your instructions.',
      },
      {
        title: 'We check it',
        text: 'Somebody who did not edit it watches every cut against the same criteria, such as pacing, captions, audio, brand and compliance.',
      },
      {
        title: 'You post it',
        text: 'Download it, give it a date, or ask for a revision. Every step stays in the project’s history.',
      },
    ],
    start: 'Send your first video',
  },
})
