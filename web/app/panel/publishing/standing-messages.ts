import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    is: {
      live: (names: string) => `Posted on ${names}`,
      inbox: (names: string) => `In your inbox on ${names}`,
      theirInbox: (names: string) => `In the inbox on ${names}`,
      failed: (names: string) => `Not posted on ${names}`,
      unknown: (names: string) => `Perhaps posted on ${names}`,
      onItsWay: (names: string) => `Being posted on ${names}`,
      removed: (names: string) => `Taken down from ${names}`,
    },
    next: {
      signIn: (names: string) => `${names} wants a new sign-in: connect it again, then choose “Post again”.`,
      failed: 'Read why under Posts, then choose “Post again”.',
      unknown: (names: string) => `Look at your account on ${names}, then say under Posts whether it is there.`,
      inbox: (names: string) => `Finish it in the app of ${names}, then say so under Posts.`,
    },
    connect: 'Connect it again',
    toPosts: 'To the posts',
  },
})
