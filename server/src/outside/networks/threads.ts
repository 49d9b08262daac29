import { RefusedByNetwork, type Adapter, type Work } from './adapter.ts'
import { erase, insightsOf, liveAt, loginOf, newestLike, read, write } from './meta.ts'

const login = loginOf({
  prefix: 'th',
  tokenHost: 'api',
  scope: 'threads_basic,threads_content_publish,threads_delete,threads_manage_insights,threads_manage_replies',
  me: 'v1.0/me',
  id: 'id',
})

/**
 * Threads: a container, for which the network fetches the file from us, is worked on unseen; `threads_publish` shows it. Proof: the
 * container says PUBLISHED (developers.facebook.com/docs/threads/posts, …/threads/troubleshooting).
 */
export const threads: Adapter = {
  network: 'threads',
  hosts: { accounts: 'https://threads.net', api: 'https://graph.threads.net', site: 'https://www.threads.net' },
  // The network fetches the file whole.
  partBytes: Infinity,
  ...login,
  measure: insightsOf('v1.0', {
    views: ['views'],
    likes: ['likes'],
    comments: ['replies'],
    shares: ['reposts', 'quotes', 'shares'],
  }),
  prepare: async (work) => {
    const { accountId, file, post, keep } = work
    if ((work.handles['container'] ?? null) === null) {
      const { id } = (await write(work, `v1.0/${accountId}/threads`, {
        media_type: 'VIDEO',
        video_url: await file.address(),
        text: post.words,
      })) as { id: string }
      await keep({ container: id })
    }
    const { status, error_message: why } = await containerOf(work)
    if (status === 'FINISHED') return 'ready'
    if (status !== 'EXPIRED' && status !== 'ERROR') return 'waiting'
    // Nobody has seen it: another container is made. A file that could not be fetched may be reached the next time.
    await keep({ container: null })
    const mayHelp = status === 'EXPIRED' || why === undefined || /DOWNLOADING|UNKNOWN/.test(why)
    throw new RefusedByNetwork(
      mayHelp ? 'retry' : 'permanent',
      `Threads could not work on this video${why === undefined ? '' : `: ${why}`}.`,
    )
  },
  publish: async (work) => {
    const { id } = (await write(work, `v1.0/${work.accountId}/threads_publish`, {
      creation_id: String(work.handles['container']),
    })) as { id: string }
    return liveAt(work, 'v1.0', id)
  },
  find: async (work) => {
    const { status } = await containerOf(work)
    if (status === 'PUBLISHED')
      return liveAt(work, 'v1.0', await newestLike(work, `v1.0/${work.accountId}/threads`, 'text'))
    if (status === 'FINISHED') return { is: 'absent' }
    if (status === 'IN_PROGRESS') return { is: 'processing' }
    return { is: status === 'EXPIRED' || status === 'ERROR' ? 'expired' : 'unknown' }
  },
  // A reply is a container as a post is, and says itself whether it was published (developers.facebook.com/docs/threads/reply-management).
  comment: {
    prepare: async (work) => {
      const { accountId, comment, keep } = work
      if ((work.handles['container'] ?? null) === null) {
        const { id } = (await write(work, `v1.0/${accountId}/threads`, {
          media_type: 'TEXT',
          text: comment.words,
          reply_to_id: comment.postId,
        })) as { id: string }
        await keep({ container: id })
      }
      const { status } = await containerOf(work)
      if (status === 'FINISHED') return 'ready'
      if (status !== 'EXPIRED' && status !== 'ERROR') return 'waiting'
      await keep({ container: null })
      throw new RefusedByNetwork('retry', 'Threads could not make this comment ready.')
    },
    publish: async (work) => {
      const { id } = (await write(work, `v1.0/${work.accountId}/threads_publish`, {
        creation_id: String(work.handles['container']),
      })) as { id: string }
      return id
    },
    find: async (work) => {
      const { status } = await containerOf(work)
      if (status === 'PUBLISHED') return { is: 'live', id: null }
      return { is: status === 'IN_PROGRESS' ? 'unknown' : 'absent' }
    },
  },
  takeDown: (work) => erase(work, `v1.0/${work.postId}`),
}

const containerOf = (
  work: Pick<Work, 'keys' | 'token' | 'ask' | 'handles'>,
): Promise<{ status: string; error_message?: string }> =>
  read(work, `v1.0/${work.handles['container']}`, { fields: 'status,error_message' })
