import {
  commentOn,
  figuresOf,
  formIn,
  inPath,
  newId,
  partsIn,
  publishTo,
  sha256,
  takeOf,
  thingsOf,
  type Quota,
  type StandIn,
  type StandInReply,
  type StandInRequest,
} from './stand-in.ts'

type Video = {
  account: string
  madeAt: number
  /** What came of it, in base64, until it is whole. */
  got: string
  bytes: number
  sha256: string
  /** What was asked for by the finish, and when. */
  words: string | null
  isShown: boolean
  captions?: Record<string, string>
  /** Of a video that is no reel: how long the file is, and whether its upload was finished. */
  session?: { total: number; isFinished: boolean }
}

const reels: Quota = { what: 'reels', most: 30, per: 'account', within: { minutes: 1440 } }

/** Facebook: a reel takes its bytes by offset and is worked on after the finish that publishes it; a video comes in parts, and is published by an update. */
export const facebookStandIn: StandIn = {
  network: 'facebook',
  name: 'Facebook',
  sources: [
    'developers.facebook.com/docs/video-api/guides/reels-publishing (2026-07-30)',
    'developers.facebook.com/docs/graph-api/reference/page/videos (2026-11)',
    'developers.facebook.com/docs/graph-api/reference/video (2026-11)',
    'developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived (2026-11)',
    'developers.facebook.com/docs/graph-api/reference/object/comments (2026-11)',
    'developers.facebook.com/docs/graph-api/reference/video/captions (2026-11)',
  ],
  tokens: { seconds: 5_184_000, refresh: 'none' },
  paths: { authorize: '/v23.0/dialog/oauth', token: '/v23.0/oauth/access_token' },
  quotas: [reels],
  shownAt: ({ path }) => /^\/reel\/([^/]+)$/.exec(path)?.[1],
  handle: (request, stage) => {
    const { state, now, base, account, slowUntil, partBytes = 4 * 1024 * 1024 } = stage
    const { method, path, headers, body } = request
    if (account === null) return problem(400, 190, 0, 'Error validating access token')
    const videos: Record<string, Video> = thingsOf(state, 'videos')
    // Worked on videos appear by themselves.
    for (const [id, one] of Object.entries(videos))
      if (one.words !== null && !one.session && !one.isShown && now >= slowUntil) {
        one.isShown = true
        publishTo(state, now, {
          id,
          account: one.account,
          words: one.words,
          bytes: one.bytes,
          sha256: one.sha256,
          captions: one.captions,
        })
      }
    if (path === '/v23.0/me/accounts') {
      const grant = state.grants.find((one) => one.account === account && one.accessEndsAt > now)!
      const page = { access_token: grant.access, name: account }
      return {
        json: {
          data: [
            { ...page, id: account, tasks: ['ANALYZE', 'CREATE_CONTENT'] },
            { ...page, id: `${account}.read-only`, tasks: ['ANALYZE'] },
          ],
        },
      }
    }
    if (path === `/v23.0/${inPath(account)}/video_reels` && method === 'POST') {
      const form = formIn(request)
      if (form.get('upload_phase') === 'start') {
        const id = newId()
        videos[id] = { account, madeAt: now, got: '', bytes: 0, sha256: '', words: null, isShown: false }
        return { json: { video_id: id, upload_url: `${base}/video-upload/${id}` } }
      }
      const one = videos[form.get('video_id') ?? '']
      if (form.get('upload_phase') !== 'finish' || !one || one.account !== account)
        return problem(400, 100, 0, 'Invalid parameter')
      if (one.sha256 === '') return problem(400, 6000, 1363130, 'The video is not uploaded yet')
      if (one.words === null && now - one.madeAt > 86_400_000) return problem(400, 100, 0, 'The video has expired')
      if (form.get('video_state') !== 'PUBLISHED') return problem(400, 100, 0, 'video_state')
      // Asked for twice, it is the same video.
      if (one.words === null && takeOf(stage, reels) !== null) return problem(400, 1390008, 0, 'Slow down')
      one.words ??= form.get('description') ?? ''
      return { json: { success: true } }
    }
    if (path === `/v23.0/${inPath(account)}/videos` && method === 'POST')
      return bringVideo(request, { videos, account, now, partBytes })
    const upload = videos[path.replace('/video-upload/', '')]
    if (path.startsWith('/video-upload/')) {
      if (!upload || upload.account !== account) return problem(404, 100, 33, 'No such video')
      const got = Buffer.from(upload.got, 'base64')
      if (headers['offset'] !== String(got.length) || upload.sha256 !== '') return problem(400, 100, 0, 'Bad offset')
      const all = Buffer.concat([got, body])
      if (all.length < Number(headers['file_size'])) {
        upload.got = all.toString('base64')
        return problem(400, 1363037, 0, 'The upload was cut off')
      }
      Object.assign(upload, { got: '', bytes: all.length, sha256: sha256(all) })
      return { json: { success: true } }
    }
    const [, captioned = ''] = /^\/v23\.0\/(\w+)\/captions$/.exec(path) ?? []
    if (captioned !== '') {
      const one = videos[captioned]
      if (!one || one.account !== account) return problem(400, 100, 33, 'Object does not exist')
      const text = body.toString()
      const locale = /filename="[\w-]+\.([a-z]{2}_[A-Z]{2})\.srt"/.exec(text)?.[1]
      const [, srt = ''] = /\r\n\r\n(1\r?\n\d\d:\d\d[\s\S]*?)\r\n--/.exec(text) ?? []
      if (locale === undefined || srt === '') return problem(400, 100, 0, 'captions_file')
      ;(one.captions ??= {})[locale.slice(0, 2)] = sha256(Buffer.from(srt))
      return { json: { success: true } }
    }
    const [, commented = ''] = /^\/v23\.0\/(\w+)\/comments$/.exec(path) ?? []
    if (commented !== '') {
      const entry = state.timeline.find((one) => one.id === commented && one.account === account)
      if (!entry) return problem(400, 100, 33, 'Object does not exist')
      if (method !== 'POST')
        return {
          json: {
            data: (entry.comments ?? []).map(({ id, account: from, words }) => ({
              id,
              from: { id: from },
              message: words,
            })),
          },
        }
      const words = formIn(request).get('message') ?? ''
      if (words === '' || words.length > 8000) return problem(400, 100, 0, 'message')
      return { json: { id: commentOn(state, now, commented, { account, words }) } }
    }
    const id = path.replace('/v23.0/', '')
    const one = videos[id]
    if (!one || one.account !== account) return problem(400, 100, 33, 'Object does not exist')
    if (method === 'DELETE') {
      delete videos[id]
      state.timeline = state.timeline.filter((entry) => entry.id !== id)
      return { json: { success: true } }
    }
    if (method === 'POST') {
      if (!one.session?.isFinished || formIn(request).get('published') !== 'true')
        return problem(400, 100, 0, 'Invalid parameter')
      if (now < slowUntil) return problem(400, 1363047, 0, 'The video is still being worked on')
      // Published once more it is the same video.
      if (!one.isShown)
        publishTo(state, now, {
          id,
          account,
          words: one.words ?? '',
          bytes: one.bytes,
          sha256: one.sha256,
          captions: one.captions,
        })
      one.isShown = true
      return { json: { success: true } }
    }
    const counts = figuresOf(state, id, now)
    const countOf = (total_count: number) => ({ data: [], summary: { total_count } })
    if (counts && formIn(request).get('fields')?.startsWith('views'))
      return {
        json: { id, views: counts.views, likes: countOf(counts.likes), comments: countOf(counts.comments) },
      }
    const published = one.session ? { published: one.isShown } : {}
    return { json: { id, permalink_url: `${base}/#${id}`, status: statusOf(one, now, slowUntil), ...published } }
  },
}

/** A video of a page in parts: each where the one before ended, finished once, and unpublished. */
const bringVideo = (
  request: StandInRequest,
  {
    videos,
    account,
    now,
    partBytes,
  }: { videos: Record<string, Video>; account: string; now: number; partBytes: number },
): StandInReply => {
  const parts = partsIn(request)
  const form = formIn(request)
  const fieldOf = (name: string) => parts.get(name)?.toString() ?? form.get(name)
  const id = fieldOf('upload_session_id')?.replace(/^session-/, '') ?? newId()
  const wanted = (at: number, total: number) => ({
    start_offset: String(at),
    end_offset: String(Math.min(at + partBytes, total)),
  })
  if (fieldOf('upload_phase') === 'start') {
    const total = Number(fieldOf('file_size'))
    if (!(total > 0)) return problem(400, 100, 0, 'file_size')
    const session = { total, isFinished: false }
    videos[id] = { account, madeAt: now, got: '', bytes: 0, sha256: '', words: null, isShown: false, session }
    return { json: { video_id: id, upload_session_id: `session-${id}`, ...wanted(0, total) } }
  }
  const one = videos[id]
  if (!one?.session || one.account !== account) return problem(400, 100, 33, 'Object does not exist')
  if (one.session.isFinished) return problem(400, 6000, 1363019, 'This upload session was finished')
  const { total } = one.session
  const got = Buffer.from(one.got, 'base64')
  if (fieldOf('upload_phase') === 'transfer') {
    const chunk = parts.get('video_file_chunk')
    const place = wanted(got.length, total)
    const size = Number(place.end_offset) - got.length
    if (fieldOf('start_offset') !== place.start_offset || chunk?.length !== size)
      return {
        status: 400,
        json: { error: { message: 'Wrong part', type: 'OAuthException', code: 6001, error_data: place } },
      }
    one.got = Buffer.concat([got, chunk]).toString('base64')
    return { json: wanted(got.length + size, total) }
  }
  if (fieldOf('upload_phase') !== 'finish' || got.length < total) return problem(400, 6000, 1363130, 'Not uploaded yet')
  if (fieldOf('published') !== 'false') return problem(400, 100, 0, 'published')
  Object.assign(one, { got: '', bytes: total, sha256: sha256(got), words: fieldOf('description') ?? '' })
  one.session.isFinished = true
  return { json: { success: true } }
}

const statusOf = (one: Video, now: number, slowUntil: number) => {
  const isWhole = one.sha256 !== ''
  const uploading_phase = {
    status: isWhole ? 'complete' : 'in_progress',
    bytes_transferred: isWhole ? one.bytes : Buffer.from(one.got, 'base64').length,
  }
  const idle = { status: 'not_started' }
  if (one.session?.isFinished && !one.isShown) {
    const isReady = now >= slowUntil
    return {
      video_status: isReady ? 'ready' : 'processing',
      uploading_phase,
      processing_phase: { status: isReady ? 'complete' : 'in_progress' },
      publishing_phase: idle,
    }
  }
  if (one.isShown)
    return {
      video_status: 'ready',
      uploading_phase,
      processing_phase: { status: 'complete' },
      publishing_phase: { status: 'complete', publish_status: 'published' },
    }
  if (one.words !== null)
    return {
      video_status: 'processing',
      uploading_phase,
      processing_phase: { status: 'in_progress' },
      publishing_phase: { status: 'not_started', publish_status: 'published' },
    }
  const isOld = now - one.madeAt > 86_400_000
  const video_status = isOld ? 'expired' : isWhole ? 'upload_complete' : 'uploading'
  return { video_status, uploading_phase, processing_phase: idle, publishing_phase: idle }
}

const problem = (status: number, code: number, sub: number, message: string): StandInReply => ({
  status,
  json: { error: { message, type: 'OAuthException', code, error_subcode: sub } },
})
