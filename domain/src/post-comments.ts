import { countedWords, networks, type Network, type NetworkLimits } from './networks.ts'

/**
 * THE workflow of a post's first comment: an irreversible step of its own once the post is there. Whatever becomes of it, the post
 * stays as it is (docs/decisions/0731).
 */
export const commentStates = ['waiting', 'armed', 'live', 'failed', 'unconfirmed'] as const
export type CommentState = (typeof commentStates)[number]

type CommentRule = { from: readonly CommentState[]; to: CommentState; by: 'service' | 'officer' | 'both' }

/** What may happen to a comment; a post that is posted again begins it anew, whatever it was. */
export const commenting = {
  arm: { from: ['waiting'], to: 'armed', by: 'service' },
  /** The network has proved that it is not there. */
  absent: { from: ['armed'], to: 'waiting', by: 'service' },
  live: { from: ['armed', 'unconfirmed'], to: 'live', by: 'both' },
  fail: { from: ['waiting', 'armed'], to: 'failed', by: 'service' },
  /** The network does not say whether it is there, or a copy of the service does not know: its officer looks. */
  lose: { from: ['waiting', 'armed'], to: 'unconfirmed', by: 'service' },
  repeat: { from: ['failed', 'unconfirmed'], to: 'waiting', by: 'officer' },
} as const satisfies Record<string, CommentRule>

export type CommentEvent = keyof typeof commenting

/** Where a comment stands after this event; null when the event is not possible in its state. */
export const afterCommentEvent = (state: CommentState, event: CommentEvent): CommentState | null =>
  (commenting[event] as CommentRule).from.includes(state) ? commenting[event].to : null

/** What its officer may do with the comment of a post that is there, and whose account they still post with. */
export const commentActionsFor = (state: CommentState, { isUsable }: { isUsable: boolean }) =>
  [
    ...(state === 'unconfirmed' ? (['confirmComment'] as const) : []),
    ...(afterCommentEvent(state, 'repeat') && isUsable ? (['repeatComment'] as const) : []),
  ] as const

/** What keeps these words from being the first comment on this network, in sentences that say what to do. */
export const commentProblems = (network: Network, words: string): string[] => {
  const { name, comment }: NetworkLimits = networks[network]
  if (!comment) return [`${name} takes no first comment from here. Leave it out.`]
  const count = countedWords(network, words)
  const tags = [...words.matchAll(/#[\p{L}\p{N}_]/gu)].length
  return [
    ...(count > comment.most
      ? [`${name} takes comments of ${comment.most} characters; you have ${count}. Shorten the comment.`]
      : []),
    ...(tags > (comment.tags ?? Infinity)
      ? [`${name} takes ${comment.tags} hashtags in a comment. Leave some out.`]
      : []),
  ]
}
