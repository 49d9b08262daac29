import { bearer, countIn, json, RefusedByNetwork, requireDone, withQuery, type Adapter, type Work } from './adapter.ts'
import { oauthOf } from './oauth.ts'

const oauth = oauthOf({
  token: ['api', '/2/oauth2/token'],
  revoke: ['api', '/2/oauth2/revoke'],
  pkce: true,
  isBasic: true,
})

/**
 * X API v2: the video is uploaded in segments and has a media key; one request makes the post. Proof: the account's own posts name
 * their media keys (docs.x.com/x-api/media/quickstart/media-upload-chunked, docs.x.com/x-api/posts).
 */
export const x: Adapter = {
  network: 'x',
  hosts: { accounts: 'https://x.com', api: 'https://api.x.com', site: 'https://x.com' },
  partBytes: 4 * 1024 * 1024,
  authorize: ({ clientId, hosts }, { state, challenge, redirectUri }) =>
    withQuery(`${hosts['accounts']}/i/oauth2/authorize`, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'tweet.read tweet.write users.read media.write offline.access',
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  accounts: async (keys, ask, given) => {
    const { tokens } = await oauth.exchange(keys, ask, given)
    const { data } = requireDone(
      await ask(`${keys.hosts['api']}/2/users/me`, { headers: bearer(tokens.access) }),
    ).json() as { data: { id: string; username: string } }
    return [{ id: data.id, name: data.username, tokens }]
  },
  // Each refresh token counts once.
  refresh: oauth.refresh,
  revoke: oauth.revoke,
  prepare: async (work) => {
    const { keys, token, ask, file, keep } = work
    const media = `${keys.hosts['api']}/2/media/upload`
    if (work.handles['mediaId'] === undefined) {
      const { data } = requireDone(
        await ask(`${media}/initialize`, {
          method: 'POST',
          headers: { ...bearer(token), ...json },
          body: JSON.stringify({ media_type: 'video/mp4', total_bytes: file.bytes, media_category: 'tweet_video' }),
        }),
      ).json() as { data: { id: string; media_key: string } }
      await keep({ mediaId: data.id, mediaKey: data.media_key, segments: 0 })
    }
    const id = String(work.handles['mediaId'])
    for (let index = Number(work.handles['segments']); index * work.partBytes < file.bytes; index++) {
      const start = index * work.partBytes
      const form = new FormData()
      form.set('segment_index', String(index))
      form.set('media', await file.part(start, Math.min(start + work.partBytes, file.bytes) - 1))
      requireDone(await ask(`${media}/${id}/append`, { method: 'POST', headers: bearer(work.token), body: form }))
      await keep({ segments: index + 1 })
    }
    if (work.handles['finalized'] !== true) {
      requireDone(await ask(`${media}/${id}/finalize`, { method: 'POST', headers: bearer(work.token) }))
      await keep({ finalized: true })
    }
    const { data } = requireDone(
      await ask(withQuery(media, { command: 'STATUS', media_id: id }), { headers: bearer(work.token) }),
    ).json() as { data: { processing_info?: { state: string } } }
    const state = data.processing_info?.state ?? 'succeeded'
    if (state === 'failed') throw new RefusedByNetwork('permanent', 'X could not work on this video.')
    return state === 'succeeded' ? 'ready' : 'waiting'
  },
  publish: async (work) => {
    const { keys, token, ask, post, handles } = work
    const { data } = requireDone(
      await ask(`${keys.hosts['api']}/2/tweets`, {
        method: 'POST',
        headers: { ...bearer(token), ...json },
        body: JSON.stringify({ text: post.words, media: { media_ids: [handles['mediaId']] } }),
      }),
    ).json() as { data: { id: string } }
    return live(work, data.id)
  },
  find: async (work) => {
    const { keys, token, ask, accountId, handles } = work
    const { data = [] } = requireDone(
      await ask(
        withQuery(`${keys.hosts['api']}/2/users/${accountId}/tweets`, {
          max_results: '100',
          expansions: 'attachments.media_keys',
        }),
        { headers: bearer(token) },
      ),
    ).json() as { data?: { id: string; attachments?: { media_keys?: string[] } }[] }
    const found = data.find(({ attachments }) => attachments?.media_keys?.includes(String(handles['mediaKey'])))
    return found ? live(work, found.id) : { is: 'absent' }
  },
  // A reply to one's own post; what is found is the account's own answer to it with these words.
  comment: {
    publish: async ({ keys, token, ask, comment: { words, postId } }) => {
      const { data } = requireDone(
        await ask(`${keys.hosts['api']}/2/tweets`, {
          method: 'POST',
          headers: { ...bearer(token), ...json },
          body: JSON.stringify({ text: words, reply: { in_reply_to_tweet_id: postId } }),
        }),
      ).json() as { data: { id: string } }
      return data.id
    },
    find: async ({ keys, token, ask, accountId, comment: { words, postId } }) => {
      const { data = [] } = requireDone(
        await ask(
          withQuery(`${keys.hosts['api']}/2/users/${accountId}/tweets`, {
            max_results: '100',
            'tweet.fields': 'referenced_tweets',
          }),
          { headers: bearer(token) },
        ),
      ).json() as { data?: { id: string; text?: string; referenced_tweets?: { type: string; id: string }[] }[] }
      const found = data.find(
        ({ text = '', referenced_tweets: of = [] }) =>
          of.some(({ type, id }) => type === 'replied_to' && id === postId) && plainWords(text) === plainWords(words),
      )
      return found ? { is: 'live', id: found.id } : { is: 'absent' }
    },
  },
  // Each post that is read of one's own is paid for.
  measure: {
    most: 100,
    perMinute: 30,
    read: async ({ keys, token, ask }, ids) => {
      const { data = [] } = requireDone(
        await ask(
          withQuery(`${keys.hosts['api']}/2/tweets`, { ids: ids.join(','), 'tweet.fields': 'public_metrics' }),
          {
            headers: bearer(token),
          },
        ),
      ).json() as { data?: { id: string; public_metrics?: Record<string, unknown> }[] }
      return new Map(
        data.map(({ id, public_metrics: said = {} }) => [
          id,
          {
            views: countIn(said['impression_count']),
            likes: countIn(said['like_count']),
            comments: countIn(said['reply_count']),
            shares: countIn(Number(said['retweet_count'] ?? 0) + Number(said['quote_count'] ?? 0)),
          },
        ]),
      )
    },
  },
  takeDown: async ({ keys, token, ask, postId }) => {
    const answer = await ask(`${keys.hosts['api']}/2/tweets/${postId}`, { method: 'DELETE', headers: bearer(token) })
    if (answer.status !== 404) requireDone(answer)
  },
}

/** Addresses come back shortened, and some signs as entities. */
const plainWords = (text: string): string =>
  text
    .replace(/https?:\/\/\S+/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

const live = ({ keys, accountId }: Work, id: string) => ({
  is: 'live' as const,
  id,
  address: `${keys.hosts['site']}/${accountId}/status/${id}`,
})
