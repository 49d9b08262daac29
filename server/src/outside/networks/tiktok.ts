import {
  bearer,
  countIn,
  json,
  RefusedByNetwork,
  requireDone,
  withQuery,
  type Adapter,
  type Answer,
  type Work,
} from './adapter.ts'
import { oauthOf } from './oauth.ts'

const MB = 1_000_000

const oauth = oauthOf({
  token: ['api', '/v2/oauth/token/'],
  revoke: ['api', '/v2/oauth/revoke/'],
  clientName: 'client_key',
  pkce: true,
})

/**
 * TikTok's direct post, and its inbox: it publishes when the bytes are in, so nothing is sent before the moment. Proof: the status of the publish_id,
 * which is kept before the bytes (developers.tiktok.com/doc/content-posting-api-reference-direct-post, …-media-transfer-guide).
 */
export const tiktok: Adapter = {
  network: 'tiktok',
  hosts: { accounts: 'https://www.tiktok.com', api: 'https://open.tiktokapis.com', site: 'https://www.tiktok.com' },
  // 5 to 64 MB; what is smaller than two goes whole.
  partBytes: 32 * MB,
  authorize: ({ clientId, hosts }, { state, challenge, redirectUri }) =>
    withQuery(`${hosts['accounts']}/v2/auth/authorize/`, {
      client_key: clientId,
      scope: 'user.info.basic,video.publish,video.upload,video.list',
      response_type: 'code',
      redirect_uri: redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  accounts: async (keys, ask, given) => {
    const { tokens, said } = await oauth.exchange(keys, ask, given)
    const { creator_nickname: name } = await creatorOf({ keys, ask, token: tokens.access })
    return [{ id: String(said.open_id), name, tokens }]
  },
  refresh: oauth.refresh,
  revoke: oauth.revoke,
  // What the creator allows today is asked before the moment, too: a choice that is gone is told in time.
  prepare: async (work) => {
    const creator = await creatorOf(work)
    const { tiktok: chosen } = work.post
    if (chosen?.mode === 'inbox') return 'ready'
    if (work.file.seconds !== null && work.file.seconds > (creator.max_video_post_duration_sec ?? Infinity))
      throw new RefusedByNetwork('permanent', 'This account may not post videos of this length on TikTok.')
    if (!creator.privacy_level_options.includes(work.post.privacy ?? ''))
      throw new RefusedByNetwork('permanent', 'TikTok does not offer this choice of who may see it any more.')
    return 'ready'
  },
  publish: async (work) => {
    const { keys, ask, file, post, keep } = work
    const size = chunkOf(work)
    const count = Math.max(1, Math.floor(file.bytes / size))
    if (work.handles['publishId'] === undefined) {
      // An answer that is lost here costs nothing: without bytes there is no post.
      const { data } = requireOk(
        await ask(`${keys.hosts['api']}/v2/post/publish/${isForInbox(work) ? 'inbox/video' : 'video'}/init/`, {
          method: 'POST',
          headers: { ...bearer(work.token), ...json },
          body: JSON.stringify({
            // In the inbox all of it is chosen in the app.
            ...(isForInbox(work)
              ? {}
              : {
                  post_info: {
                    title: post.words,
                    privacy_level: post.privacy,
                    ...settingsOf(post.tiktok),
                    ...(post.coverMs === undefined ? {} : { video_cover_timestamp_ms: post.coverMs }),
                  },
                }),
            source_info: { source: 'FILE_UPLOAD', video_size: file.bytes, chunk_size: size, total_chunk_count: count },
          }),
        }),
      )
      await keep({ publishId: data.publish_id, uploadUrl: data.upload_url, chunks: 0 })
    }
    for (let index = Number(work.handles['chunks']); index < count; index++) {
      const start = index * size
      const end = index === count - 1 ? file.bytes - 1 : start + size - 1
      const answer = await ask(String(work.handles['uploadUrl']), {
        method: 'PUT',
        headers: { 'content-type': 'video/mp4', 'content-range': `bytes ${start}-${end}/${file.bytes}` },
        body: await file.part(start, end),
      })
      // The address counts for an hour, and takes each chunk once: what it says of the rest, its status knows.
      if (answer.status >= 400 && answer.status < 500) return statusOf(work)
      requireDone(answer)
      await keep({ chunks: index + 1 })
    }
    return { is: 'processing' }
  },
  find: (work) => statusOf(work),
  measure: {
    most: 20,
    perMinute: 60,
    read: async ({ keys, token, ask }, ids) => {
      const fields = 'id,view_count,like_count,comment_count,share_count'
      const { data } = requireOk(
        await ask(withQuery(`${keys.hosts['api']}/v2/video/query/`, { fields }), {
          method: 'POST',
          headers: { ...bearer(token), ...json },
          body: JSON.stringify({ filters: { video_ids: ids } }),
        }),
      )
      return new Map(
        ((data.videos ?? []) as Record<string, unknown>[]).map((said) => [
          String(said['id']),
          {
            views: countIn(said['view_count']),
            likes: countIn(said['like_count']),
            comments: countIn(said['comment_count']),
            shares: countIn(said['share_count']),
          },
        ]),
      )
    },
  },
  // Its interface for posting takes none.
  comment: null,
  publishAsksMore: true,
  publishBringsFile: true,
  takeDown: null,
}

const isForInbox = ({ post }: Work): boolean => post.tiktok?.mode === 'inbox'

/** What a person chose, as TikTok calls it; a post from before nobody was asked keeps the network's own. */
const settingsOf = (chosen: Work['post']['tiktok']) =>
  chosen === undefined
    ? {}
    : {
        disable_comment: !chosen.allows.includes('comment'),
        disable_duet: !chosen.allows.includes('duet'),
        disable_stitch: !chosen.allows.includes('stitch'),
        brand_organic_toggle: chosen.isCommercial && chosen.discloses.includes('own'),
        brand_content_toggle: chosen.isCommercial && chosen.discloses.includes('paid'),
      }

const chunkOf = ({ file, partBytes }: Work): number => (file.bytes < 2 * partBytes ? file.bytes : partBytes)

const statusOf = async (work: Work) => {
  const { keys, token, ask, handles } = work
  if (handles['publishId'] === undefined) return { is: 'absent' as const }
  const { data } = requireOk(
    await ask(`${keys.hosts['api']}/v2/post/publish/status/fetch/`, {
      method: 'POST',
      headers: { ...bearer(token), ...json },
      body: JSON.stringify({ publish_id: handles['publishId'] }),
    }),
  )
  if (data.status === 'PUBLISH_COMPLETE') {
    // Their spelling; it comes later, and for public posts alone.
    const [id] = (data.publicaly_available_post_id ?? []) as (string | number)[]
    return {
      is: 'live' as const,
      id: String(id ?? handles['publishId']),
      address: id === undefined ? `${keys.hosts['site']}/` : `${keys.hosts['site']}/@/video/${id}`,
    }
  }
  if (data.status === 'SEND_TO_USER_INBOX') return { is: 'handed' as const }
  // The bytes are not all there: the same address takes them, for the same post.
  if (data.status === 'PROCESSING_UPLOAD') {
    const chunks = Math.floor(Number(data.uploaded_bytes ?? 0) / chunkOf(work))
    const isFurther = chunks > Number(handles['found'] ?? 0)
    await work.keep({ chunks, found: chunks })
    return { is: 'absent' as const, isFurther }
  }
  if (data.status === 'FAILED')
    return {
      is: 'refused' as const,
      kind: 'permanent' as const,
      words: `TikTok refused the video: ${data.fail_reason ?? 'no reason told'}.`,
    }
  return { is: 'processing' as const }
}

const creatorOf = async ({ keys, token, ask }: Pick<Work, 'keys' | 'token' | 'ask'>) =>
  requireOk(
    await ask(`${keys.hosts['api']}/v2/post/publish/creator_info/query/`, {
      method: 'POST',
      headers: { ...bearer(token), ...json },
      body: '{}',
    }),
  ).data as { creator_nickname: string; privacy_level_options: string[]; max_video_post_duration_sec?: number }

/** Every answer carries its own word, success included. */
const requireOk = (answer: Answer): { data: any } => {
  const code = /"code":\s*"(\w+)"/.exec(answer.text)?.[1] ?? ''
  if (code !== '' && code !== 'ok')
    requireDone({ ...answer, status: answer.status < 300 ? 400 : answer.status }, () => kindOf(code))
  return requireDone(answer).json() as { data: any }
}

const kindOf = (code: string) => {
  if (code === 'access_token_invalid' || code === 'scope_not_authorized') return 'reauth'
  if (code.startsWith('spam_risk') || code === 'reached_active_user_cap' || code === 'rate_limit_exceeded')
    return 'limit'
  return code === 'internal_error' ? 'retry' : null
}
