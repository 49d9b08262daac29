import { inLanguage } from '../../language.ts'

export const words = inLanguage({
  en: {
    title: ['You talk for', 'two minutes.', 'We make it', 'clear to post.'],
    lead: 'Video editing for loan officers. Film on your phone, send it in, and get it back cut, captioned and checked by a person.',
    start: 'Send your first video',
    see: 'See how it works',
    free: 'Your first video is free. No card.',
    before: 'What you send',
    after: 'What you get',
    beforeAlt: 'A loan officer talks to a phone: dim light, a tilted picture, long pauses.',
    afterAlt:
      'The same take after the edit: bright and straight, pauses cut, each word captioned, name and license number shown.',
    pauseSign: 'pause',
    cut: 'Pauses, in coral, are gone.',
    sample: 'A sample take. The person is drawn; the cuts, the captions and the light are an edit like yours.',
    play: 'Play the sample',
    pause: 'Pause the sample',
  },
})
