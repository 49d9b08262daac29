import type { NewPost } from '@clear-to-post/contract/publishing'
import { wordProblems, type Network } from '@clear-to-post/domain/networks'
import { commentProblems } from '@clear-to-post/domain/post-comments'
import { tiktokFaults, type TiktokField } from '@clear-to-post/domain/tiktok-choices'
import { messages } from './messages.ts'

/** What keeps a post from being scheduled, by the field at which it is mended. */
export type PostFaults = {
  /** Of its title and text: said while they are written. */
  texts: readonly string[]
  /** Of the first comment; `isUnwritten`: nothing stands there yet, which is said only once it is to be scheduled. */
  comment?: { words: string; isUnwritten: boolean }
  /** What TikTok asks and nobody has answered yet. */
  tiktok: Partial<Record<TiktokField, string>>
}

export const faultsOf = (network: Network, post: Omit<NewPost, 'connectionId'>): PostFaults => {
  const ofTiktok = network === 'tiktok' ? tiktokFaults(post.tiktok, post.privacy) : []
  const answers = new Set(ofTiktok.map(({ words }) => words))
  const { comment } = post
  const isUnwritten = comment !== undefined && comment.trim() === ''
  const words = isUnwritten
    ? messages.needComment
    : comment === undefined
      ? ''
      : commentProblems(network, comment).join(' ')
  return {
    texts: wordProblems(network, post).filter((problem) => !answers.has(problem)),
    ...(words === '' ? {} : { comment: { words, isUnwritten } }),
    tiktok: Object.fromEntries(ofTiktok.toReversed().map((fault) => [fault.field, fault.words])),
  }
}

export const hasFaults = ({ texts, comment, tiktok }: PostFaults): boolean =>
  texts.length > 0 || comment !== undefined || Object.keys(tiktok).length > 0
