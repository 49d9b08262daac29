import { inLanguage } from '../../language.ts'

/** The privacy notice. Who changes what it means gives it a new day in domain/src/terms.ts: everybody is asked again. */
export const words = inLanguage({
  en: {
    title: 'Privacy',
    intro: 'What we know about you, why, who else sees it, and how you get it or have it deleted.',
    sections: [
      {
        heading: 'What we keep',
        says: 'What you give us, and what happens to your videos.',
        points: [
          'Your name, e-mail address, photo, profession, phone and city, license numbers and states, as far as you fill them in.',
          'Your recordings, scripts, comments, finished videos and when they were posted.',
          'When you signed in and from which network, for your security.',
          'Which plan you have and what was paid. Card numbers go to the payment provider and never to us.',
        ],
      },
      {
        heading: 'What we do with it',
        says: 'We make, review and post your videos, tell you how they stand, and bill them. We sell nothing about you, show you no advertisements, and nobody is recognized by their face: the editor only needs to know where in the picture somebody stands.',
      },
      {
        heading: 'Who sees it',
        says: 'Editors and reviewers who work on your videos, and the admins of your company. Nobody of another company.',
        points: [
          'The networks you connect get the video and the words you chose for them.',
          'The payment provider gets what a payment needs, the mail service your address.',
          'A court or an authority, where the law makes us.',
        ],
      },
      {
        heading: 'Cookies and counting',
        says: 'One cookie keeps you signed in. Visits are counted only where this site says so at its foot, never against a Do-Not-Track setting, and you can switch it off there.',
      },
      {
        heading: 'How long',
        says: 'For as long as you have an account. Deleted things stay in our backups until those are replaced, and are deleted again if one is ever restored.',
      },
      {
        heading: 'What you can do',
        says: 'All of it stands in your profile, without writing to anybody.',
        points: [
          'See and correct what we know about you.',
          'Download everything as one file.',
          'Delete your account. The receipt says what is gone, and what must stay and why.',
          'Choose which e-mails you get.',
        ],
      },
      {
        heading: 'Questions',
        says: 'Write to us on the contact page. A person answers.',
      },
    ],
  },
})
