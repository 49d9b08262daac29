import { inLanguage } from '../../language.ts'

/** What people notice of what changed, newest first. `day`: yyyy-mm-dd. */
export const words = inLanguage({
  en: {
    title: 'What’s new',
    intro: 'What has changed for you, newest first.',
    news: [
      {
        day: '2026-11-27',
        heading: 'Terms and privacy in plain words',
        says: 'What we promise and what we keep is on two short pages, and you are asked when they change.',
      },
      {
        day: '2026-11-26',
        heading: 'Record without a network',
        says: 'The recorder opens on a plane, too. What you film waits on your device and goes up by itself.',
      },
      {
        day: '2026-11-26',
        heading: 'Licenses in captions and cards',
        says: 'Your NMLS number, the states you are licensed in and Equal Housing stand in your profile, and go into scripts and end cards by themselves.',
      },
      {
        day: '2026-11-26',
        heading: 'Keys for your own programs',
        says: 'Read your videos and figures from a spreadsheet or a script. A key does only what you allow it.',
      },
      {
        day: '2026-11-24',
        heading: 'Posts on Bluesky',
        says: 'Connect your account, and an approved video is posted there on its day.',
      },
      {
        day: '2026-11-23',
        heading: 'Invite your team',
        says: 'Admins invite many people at once, by address or from a file, with their role.',
      },
    ],
  },
})
