import { bearer, RefusedByNetwork, requireDone, withQuery, type Adapter, type Answer, type Work } from './adapter.ts'
import { tokensOf } from './oauth.ts'

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
  accounts: async (keys, ask, { code, redirectUri, now }) => {
    const short = requireDone(
      await ask(`${keys.hosts['token']}/oauth/access_token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_id: keys.clientId,
          client_secret: keys.clientSecret,
          grant_type: 'authorization_code',
          redirect_uri: redirectUri,
          code,
        }).toString(),
      }),
      () => 'reauth',
    ).json() as { access_token: string }
    const said = requireDone(
      await ask(
        withQuery(`${keys.hosts['api']}/access_token`, {
          grant_type: 'ig_exchange_token',
          client_secret: keys.clientSecret,
          access_token: short.access_token,
        }),
      ),
      kindOf,
    ).json()
    const tokens = tokensOf(said, now)
    const me = requireDone(
      await ask(withQuery(`${keys.hosts['api']}/me`, { fields: 'user_id,username' }), {
        headers: bearer(tokens.access),
      }),
      kindOf,
    ).json() as { user_id: string; username: string }
    return [{ id: String(me.user_id), name: me.username, tokens }]
  },
  // The token itself is renewed; one that has ended cannot be.
  refresh: async (keys, ask, tokens, now) => {
    if (tokens.accessEndsAt !== null && tokens.accessEndsAt <= now.getTime()) return null
    const said = requireDone(
      await ask(
        withQuery(`${keys.hosts['api']}/refresh_access_token`, {
          grant_type: 'ig_refresh_token',
          access_token: tokens.access,
        }),
      ),
      (answer) => (answer.status === 400 ? 'reauth' : kindOf(answer)),
    ).json()
    return tokensOf(said, now, tokens)
  },
  revoke: null,
  prepare: async (work) => {
    const { keys, ask, accountId, file, post, keep } = work
    if ((work.handles['container'] ?? null) === null) {
      const { id, uri } = requireDone(
        await ask(`${keys.hosts['api']}/v23.0/${accountId}/media`, {
          method: 'POST',
          headers: { ...bearer(work.token), 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ media_type: 'REELS', upload_type: 'resumable', caption: post.words }).toString(),
        }),
        kindOf,
      ).json() as { id: string; uri: string }
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
    if (work.handles['sent'] !== true) {
      // One request brings all that is not there yet.
      const offset = work.handles['began'] === true ? await bytesThere(work) : 0
      if (offset === 0) await keep({ began: true })
      requireDone(
        await ask(String(work.handles['uri']), {
          method: 'POST',
          headers: { authorization: `OAuth ${work.token}`, offset: String(offset), file_size: String(file.bytes) },
          body: await file.part(offset, file.bytes - 1),
        }),
        kindOf,
      )
      await keep({ sent: true })
    }
    return (await statusOf(work)) === 'FINISHED' ? 'ready' : 'waiting'
  },
  publish: async (work) => {
    const { keys, token, ask, accountId, handles } = work
    const { id } = requireDone(
      await ask(`${keys.hosts['api']}/v23.0/${accountId}/media_publish`, {
        method: 'POST',
        headers: { ...bearer(token), 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ creation_id: String(handles['container']) }).toString(),
      }),
      kindOf,
    ).json() as { id: string }
    return live(work, id)
  },
  find: async (work) => {
    const status = await statusOf(work)
    if (status === 'PUBLISHED') return live(work, await newestLike(work))
    if (status === 'FINISHED') return { is: 'absent' }
    if (status === 'IN_PROGRESS') return { is: 'processing' }
    return { is: status === 'EXPIRED' || status === 'ERROR' ? 'expired' : 'unknown' }
  },
  takeDown: null,
}

/** What an upload that was cut off has brought. */
const bytesThere = async ({ keys, token, ask, handles, file }: Work): Promise<number> => {
  const said = requireDone(
    await ask(withQuery(`${keys.hosts['api']}/v23.0/${handles['container']}`, { fields: 'video_status' }), {
      headers: bearer(token),
    }),
    kindOf,
  ).json() as { video_status?: { uploading_phase?: { bytes_transferred?: number } } }
  const there = Number(said.video_status?.uploading_phase?.bytes_transferred ?? 0)
  return there < file.bytes ? there : 0
}

const statusOf = async ({ keys, token, ask, handles }: Work): Promise<string> =>
  (
    requireDone(
      await ask(withQuery(`${keys.hosts['api']}/v23.0/${handles['container']}`, { fields: 'status_code,status' }), {
        headers: bearer(token),
      }),
      kindOf,
    ).json() as { status_code: string }
  ).status_code

/** The one post with exactly this caption, made since it was armed; null where there is none or several. */
const newestLike = async ({ keys, token, ask, accountId, post }: Work): Promise<string | null> => {
  const answer = await ask(
    withQuery(`${keys.hosts['api']}/v23.0/${accountId}/media`, { fields: 'id,caption', limit: '20' }),
    { headers: bearer(token) },
  ).catch(() => null)
  if (answer?.status !== 200) return null
  const { data = [] } = answer.json() as { data?: { id: string; caption?: string }[] }
  const alike = data.filter(({ caption }) => caption === post.words)
  return alike.length === 1 ? alike[0]!.id : null
}

/** What is there is live, also where its address cannot be read now: then the profile stands for it. */
const live = async ({ keys, token, ask, accountId }: Work, id: string | null) => {
  const answer =
    id === null
      ? null
      : await ask(withQuery(`${keys.hosts['api']}/v23.0/${id}`, { fields: 'permalink' }), {
          headers: bearer(token),
        }).catch(() => null)
  const found = answer?.status === 200 ? (/"permalink":\s*"([^"]+)"/.exec(answer.text)?.[1] ?? null) : null
  return {
    is: 'live' as const,
    id: id ?? accountId,
    address: found?.replaceAll('\\/', '/') ?? `${keys.hosts['site']}/`,
  }
}

const kindOf = (answer: Answer) => {
  const { code = 0, error_subcode: sub = 0 } = errorIn(answer)
  if (code === 190 || code === 102) return 'reauth'
  if (code === 9 && sub === 2207042) return 'limit'
  if (sub === 2207050 || sub === 2207051) return 'policy'
  if ([-2, -1, 4, 17, 32, 613, 9004, 9007, 80002].includes(code)) return 'retry'
  return null
}

const errorIn = ({ text }: Answer): { code?: number; error_subcode?: number } => {
  try {
    return JSON.parse(text).error ?? {}
  } catch {
    return {}
  }
}
