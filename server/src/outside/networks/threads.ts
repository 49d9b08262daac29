import { RefusedByNetwork, withQuery, type Adapter, type Work } from './adapter.ts'
import { erase, loginOf, newestLike, permalinkOf, read, write } from './meta.ts'

const login = loginOf('th', 'api')

/**
 * Threads: a container, for which the network fetches the file from us, is worked on unseen; `threads_publish` shows it. Proof: the
 * container says PUBLISHED (developers.facebook.com/docs/threads/posts, …/threads/troubleshooting).
 */
export const threads: Adapter = {
  network: 'threads',
  hosts: { accounts: 'https://threads.net', api: 'https://graph.threads.net', site: 'https://www.threads.net' },
  // The network fetches the file whole.
  partBytes: Infinity,
  // This network offers no PKCE; the state alone binds the way to the person.
  authorize: ({ clientId, hosts }, { state, redirectUri }) =>
    withQuery(`${hosts['accounts']}/oauth/authorize`, {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'threads_basic,threads_content_publish,threads_delete',
      state,
    }),
  accounts: async (keys, ask, given) => {
    const tokens = await login.exchange(keys, ask, given)
    const me = (await read({ keys, ask, token: tokens.access }, 'v1.0/me', { fields: 'id,username' })) as {
      id: string
      username: string
    }
    return [{ id: String(me.id), name: me.username, tokens }]
  },
  refresh: login.refresh,
  revoke: null,
  prepare: async (work) => {
    const { accountId, file, post, keep } = work
    if ((work.handles['container'] ?? null) === null) {
      const { id } = (await write(work, `v1.0/${accountId}/threads`, {
        media_type: 'VIDEO',
        video_url: file.address(),
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
    return live(work, id)
  },
  find: async (work) => {
    const { status } = await containerOf(work)
    if (status === 'PUBLISHED') return live(work, await newestLike(work, `v1.0/${work.accountId}/threads`, 'text'))
    if (status === 'FINISHED') return { is: 'absent' }
    if (status === 'IN_PROGRESS') return { is: 'processing' }
    return { is: status === 'EXPIRED' || status === 'ERROR' ? 'expired' : 'unknown' }
  },
  takeDown: (work) => erase(work, `v1.0/${work.postId}`),
}

const containerOf = (work: Work): Promise<{ status: string; error_message?: string }> =>
  read(work, `v1.0/${work.handles['container']}`, { fields: 'status,error_message' })

/** What is there is live, also where its number or address cannot be read now: then the profile stands for its address. */
const live = async (work: Work, id: string | null) => ({
  is: 'live' as const,
  id,
  address: (id === null ? null : await permalinkOf(work, `v1.0/${id}`)) ?? `${work.keys.hosts['site']}/`,
})
