import { RefusedByNetwork, withQuery, type Adapter, type Work } from './adapter.ts'
import { bring, graphVersion, loginOf, newestLike, permalinkOf, read, write } from './meta.ts'

const login = loginOf('ig', 'token')

/**
 * Instagram with Instagram Login: a container takes the bytes and is worked on unseen; `media_publish` shows it. Proof: the container
 * says PUBLISHED (developers.facebook.com/docs/instagram-platform/content-publishing, …/resumable-uploads).
 */
export const instagram: Adapter = {
  network: 'instagram',
  hosts: {
    accounts: 'https://www.instagram.com',
    token: 'https://api.instagram.com',
    api: 'https://graph.instagram.com',
    site: 'https://www.instagram.com',
  },
  partBytes: Infinity,
  // This network offers no PKCE; the state alone binds the way to the person.
  authorize: ({ clientId, hosts }, { state, redirectUri }) =>
    withQuery(`${hosts['accounts']}/oauth/authorize`, {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_insights',
      state,
    }),
  accounts: async (keys, ask, given) => {
    const tokens = await login.exchange(keys, ask, given)
    const me = (await read({ keys, ask, token: tokens.access }, 'me', { fields: 'user_id,username' })) as {
      user_id: string
      username: string
    }
    return [{ id: String(me.user_id), name: me.username, tokens }]
  },
  refresh: login.refresh,
  revoke: null,
  prepare: async (work) => {
    const { accountId, post, keep } = work
    if ((work.handles['container'] ?? null) === null) {
      const { id, uri } = (await write(work, `${graphVersion}/${accountId}/media`, {
        media_type: 'REELS',
        upload_type: 'resumable',
        caption: post.words,
      })) as { id: string; uri: string }
      await keep({ container: id, uri })
    }
    const status = await statusOf(work)
    if (status === 'FINISHED') return 'ready'
    if (status === 'EXPIRED' || status === 'ERROR') {
      // Nobody has seen it: another container is made.
      await keep({ container: null, uri: null, began: null, sent: null })
      throw new RefusedByNetwork(
        status === 'EXPIRED' ? 'retry' : 'permanent',
        'Instagram could not work on this video.',
      )
    }
    await bring(work, () => bytesThere(work))
    return (await statusOf(work)) === 'FINISHED' ? 'ready' : 'waiting'
  },
  publish: async (work) => {
    const { accountId, handles } = work
    const { id } = (await write(work, `${graphVersion}/${accountId}/media_publish`, {
      creation_id: String(handles['container']),
    })) as { id: string }
    return live(work, id)
  },
  find: async (work) => {
    const status = await statusOf(work)
    if (status === 'PUBLISHED')
      return live(work, await newestLike(work, `${graphVersion}/${work.accountId}/media`, 'caption'))
    if (status === 'FINISHED') return { is: 'absent' }
    if (status === 'IN_PROGRESS') return { is: 'processing' }
    return { is: status === 'EXPIRED' || status === 'ERROR' ? 'expired' : 'unknown' }
  },
  takeDown: null,
}

/** What an upload that was cut off has brought. */
const bytesThere = async (work: Work): Promise<number> => {
  const said = (await read(work, `${graphVersion}/${work.handles['container']}`, { fields: 'video_status' })) as {
    video_status?: { uploading_phase?: { bytes_transferred?: number } }
  }
  return Number(said.video_status?.uploading_phase?.bytes_transferred ?? 0)
}

const statusOf = async (work: Work): Promise<string> =>
  (await read(work, `${graphVersion}/${work.handles['container']}`, { fields: 'status_code,status' })).status_code

/** What is there is live, also where its number or address cannot be read now: then the profile stands for its address. */
const live = async (work: Work, id: string | null) => ({
  is: 'live' as const,
  id,
  address: (id === null ? null : await permalinkOf(work, `${graphVersion}/${id}`)) ?? `${work.keys.hosts['site']}/`,
})
