import { figuresOf, jsonIn, newId, publishTo, sha256, takeOf, thingsOf, type Quota, type StandIn } from './stand-in.ts'

type Publish = {
  account: string
  words: string
  coverMs?: number | undefined
  size: number
  chunk: number
  count: number
  got: string[]
  at: number
  postId: string | null
  sha256: string
  /** What was chosen for it; absent in the inbox. */
  marks?: Record<string, boolean>
  isDraft: boolean
}

const inits: Quota = { what: 'begun posts', most: 6, per: 'account', within: { minutes: 1 } }

/** TikTok: chunks of 5 to 64 MB counted down, in order; it publishes when the last byte is there, once it was worked on. */
export const tiktokStandIn: StandIn = {
  network: 'tiktok',
  name: 'TikTok',
  sources: [
    'developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11)',
    'developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11)',
    'developers.tiktok.com/doc/content-posting-api-reference-upload-video (2026-11)',
    'developers.tiktok.com/doc/content-sharing-guidelines (2026-11)',
  ],
  tokens: { seconds: 86_400, refresh: 'rotates' },
  paths: { authorize: '/v2/auth/authorize/', token: '/v2/oauth/token/', revoke: '/v2/oauth/revoke/' },
  quotas: [inits],
  shownAt: ({ path }) => /^\/@[^/]*\/video\/([^/]+)$/.exec(path)?.[1],
  handle: (request, stage) => {
    const { state, now, base, account, slowUntil, partBytes = 5 * MB } = stage
    const { path, headers, body } = request
    const all: Record<string, Publish> = thingsOf(state, 'publishes')
    const upload = all[path.replace('/upload/', '')]
    if (path.startsWith('/upload/')) {
      const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
      if (!upload || upload.postId !== null) return { status: 403 }
      if (
        Number(total) !== upload.size ||
        Number(start) !== upload.at ||
        Number(end) - Number(start) + 1 !== body.length
      )
        return { status: 416 }
      upload.got.push(body.toString('base64'))
      upload.at += body.length
      if (upload.at < upload.size) return { status: 206 }
      upload.sha256 = sha256(Buffer.concat(upload.got.map((part) => Buffer.from(part, 'base64'))))
      upload.got = []
      upload.postId = newId()
      const { account: owner, words, size, coverMs, marks } = upload
      if (upload.isDraft) {
        // Nobody else sees it: it waits in the account's inbox.
        thingsOf(state, 'drafts')[upload.postId] = { account: owner, bytes: size, sha256: upload.sha256, at: now }
        return { status: 201 }
      }
      publishTo(state, now, {
        id: upload.postId,
        account: owner,
        words,
        bytes: size,
        sha256: upload.sha256,
        coverMs,
        marks,
      })
      return { status: 201 }
    }
    if (account === null) return said(401, 'access_token_invalid')
    const asked = jsonIn(request)
    if (path === '/v2/post/publish/creator_info/query/')
      return said(200, 'ok', {
        creator_nickname: account,
        privacy_level_options: privacies,
        max_video_post_duration_sec: 600,
      })
    const isDraft = path === '/v2/post/publish/inbox/video/init/'
    if (isDraft) {
      const waiting = Object.values(thingsOf(state, 'drafts')).filter(
        (one: any) => one.account === account && one.at > now - 86_400_000,
      )
      if (waiting.length >= 5) return said(403, 'spam_risk_too_many_pending_share')
    }
    if (isDraft || path === '/v2/post/publish/video/init/') {
      if (takeOf(stage, inits) !== null) return said(429, 'rate_limit_exceeded')
      const { post_info: post = {}, source_info: source } = asked
      const marks: Record<string, boolean> = {}
      for (const name of markNames) {
        if (post[name] !== undefined && typeof post[name] !== 'boolean') return said(400, 'invalid_params')
        if (post[name] !== undefined) marks[name] = post[name]
      }
      if (marks['brand_content_toggle'] && post.privacy_level === 'SELF_ONLY') return said(400, 'invalid_params')
      if (!isDraft && !privacies.includes(post?.privacy_level)) return said(400, 'privacy_level_option_mismatch')
      const cover = post.video_cover_timestamp_ms
      if (cover !== undefined && !(Number.isInteger(cover) && cover >= 0)) return said(400, 'invalid_params')
      const { video_size: size = 0, chunk_size: chunk = 0, total_chunk_count: count = 0 } = source ?? {}
      const isWhole = count === 1 && chunk === size && size <= 64 * MB
      const isParted = chunk >= partBytes && chunk <= 64 * MB && count === Math.floor(size / chunk) && count > 0
      if (source?.source !== 'FILE_UPLOAD' || !(isWhole || isParted)) return said(400, 'invalid_params')
      const id = newId()
      all[id] = {
        account,
        words: post.title ?? '',
        coverMs: cover,
        size,
        chunk,
        count,
        got: [],
        at: 0,
        postId: null,
        sha256: '',
        marks,
        isDraft,
      }
      return said(200, 'ok', { publish_id: id, upload_url: `${base}/upload/${id}` })
    }
    if (path === '/v2/video/query/') {
      const ids = asked.filters?.video_ids ?? []
      if (!Array.isArray(ids) || ids.length > 20) return said(400, 'invalid_params')
      const videos = ids.flatMap((id: string) => {
        const counts = figuresOf(state, id, now)
        if (!counts || !state.timeline.some((entry) => entry.id === id && entry.account === account)) return []
        const { views, likes, comments, shares } = counts
        return [{ id, view_count: views, like_count: likes, comment_count: comments, share_count: shares }]
      })
      return said(200, 'ok', { videos, has_more: false })
    }
    if (path === '/v2/post/publish/status/fetch/') {
      const one = all[String(asked.publish_id)]
      if (!one || one.account !== account) return said(400, 'invalid_publish_id')
      if (one.postId === null) return said(200, 'ok', { status: 'PROCESSING_UPLOAD', uploaded_bytes: one.at })
      if (now < slowUntil) return said(200, 'ok', { status: 'PROCESSING_DOWNLOAD' })
      if (one.isDraft && !state.timeline.some(({ id }) => id === one.postId))
        return said(200, 'ok', { status: 'SEND_TO_USER_INBOX' })
      return said(200, 'ok', { status: 'PUBLISH_COMPLETE', publicaly_available_post_id: [one.postId] })
    }
    return null
  },
}
const MB = 1_000_000
const markNames = ['disable_comment', 'disable_duet', 'disable_stitch', 'brand_organic_toggle', 'brand_content_toggle']
const privacies = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']

const said = (status: number, code: string, data: object = {}) => ({
  status,
  json: { data, error: { code, message: '', log_id: newId() } },
})
