import { inLanguage } from '../../language.ts'

/** The terms of use. Who changes what they mean gives them a new day in domain/src/terms.ts: everybody is asked again. */
export const words = inLanguage({
  en: {
    title: 'Terms of use',
    intro: 'What you may expect of Clear to Post, and what we expect of you. Short, because you should read it.',
    sections: [
      {
        heading: 'What we do',
        says: 'You send in a video. We cut it, caption it, and have it reviewed by a person before you see it.',
        points: [
          'Nothing of yours is published before you have approved it and said where it goes.',
          'What you approved is what is posted, byte for byte, or nothing is.',
          'You may take a video back until it is posted.',
        ],
      },
      {
        heading: 'What stays yours',
        says: 'Your recordings, your words and the finished videos are yours, or your company’s where it pays for them. You let us store, edit and send them as far as the service needs that, and no further.',
      },
      {
        heading: 'What you promise',
        says: 'You may show everybody and everything in your video, and what you say in it is right.',
        points: [
          'Rates, terms and claims are yours to check. We look over a video with care, and give no legal advice.',
          'You use music, pictures and names only where you have the right to.',
          'Your account is for you. Do not lend your password; invite a colleague instead.',
        ],
      },
      {
        heading: 'What you pay',
        says: 'Your plan says its price, how many videos it has, and when it renews. You end it yourself, in your panel, at any time; it then runs to the end of what is paid.',
        points: [
          'Your first video is free.',
          'A charge that fails does not delete anything. We tell you, and your videos wait.',
          'Where we could not do what you paid for, we give the money back.',
        ],
      },
      {
        heading: 'When something goes wrong',
        says: 'We keep copies of what you send in and test that they can be restored. We cannot promise that a service on the internet never stands still. What we owe you is at most what you paid in the last twelve months, unless the law says otherwise.',
      },
      {
        heading: 'When it ends',
        says: 'You may delete your account in your profile; you see beforehand what goes and what must stay. We may close an account that breaks these terms, and say why.',
      },
      {
        heading: 'When these words change',
        says: 'We show you the new ones when you next open your panel, and ask. Nothing changes without that.',
      },
    ],
  },
})
