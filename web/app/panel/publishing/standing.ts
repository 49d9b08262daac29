import type { Project } from '@clear-to-post/contract/projects'
import type { Network } from '@clear-to-post/domain/networks'
import { hasEnded, type PostState } from '@clear-to-post/domain/posting'
import { networkWords } from './network-words.ts'
import { messages } from './standing-messages.ts'

export type Posts = NonNullable<Project['posts']>

export type Standing = {
  /** Where it was posted, and where it was not. */
  words: string
  /** What its officer does about it, the worst first; undefined where nothing is to be done. */
  next?: string
  /** An account has to be connected again before anything else helps. */
  wantsSignIn: boolean
}

/** How the posts of a finished video stand together. */
export const standingOf = (posts: Posts, isOfficer = true): Standing => {
  const on = (is: (post: Posts[number]) => boolean): Network[] => [
    ...new Set(posts.filter(is).map(({ network }) => network)),
  ]
  const inState = (state: PostState) => on((post) => post.state === state)
  const say = (names: Network[], words: (names: string) => string) =>
    names.length === 0 ? [] : [words(networkWords(names))]
  const { is, next } = messages
  const [live, inbox, unknown] = [inState('live'), inState('handed'), inState('unconfirmed')]
  const failed = on(({ state }) => state === 'failed')
  const signIn = on(({ state, failure }) => state === 'failed' && failure === 'reauth')
  const onItsWay = on(({ state }) => !hasEnded(state))
  const [todo] = [
    ...say(signIn, next.signIn),
    ...(failed.length > 0 ? [next.failed] : []),
    ...say(unknown, next.unknown),
    ...say(inbox, next.inbox),
  ]
  return {
    words: [
      ...say(live, is.live),
      ...say(onItsWay, is.onItsWay),
      ...say(inbox, isOfficer ? is.inbox : is.theirInbox),
      ...say(failed, is.failed),
      ...say(unknown, is.unknown),
      ...say(inState('removed'), is.removed),
    ].join('. '),
    ...(todo === undefined ? {} : { next: todo }),
    wantsSignIn: signIn.length > 0,
  }
}

/** Of these its officer has something to do. */
export const needsOfficer = (state: PostState): boolean =>
  state === 'failed' || state === 'unconfirmed' || state === 'handed'
