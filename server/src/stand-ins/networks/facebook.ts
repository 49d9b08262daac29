import {
  commentOn,
  figuresOf,
  formIn,
  newId,
  publishTo,
  sha256,
  thingsOf,
  type StandIn,
  type StandInReply,
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
}

/** Facebook: a video takes its bytes by offset, is worked on only after the finish, and is published once. */
export const facebookStandIn: StandIn = {
  network: 'facebook',
  name: 'Facebook',
  sources: [
    'developers.facebook.com/docs/video-api/guides/reels-publishing (2026-07-30)',
    'developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived (2026-11)',
    'developers.facebook.com/docs/graph-api/reference/object/comments (2026-11)',
    'developers.facebook.com/docs/graph-api/reference/video/captions (2026-11)',
  ],
  tokens: { seconds: 5_184_000, refresh: 'none' },
  paths: { authorize: '/v23.0/dialog/oauth', token: '/v23.0/oauth/access_token' },
  handle: (request, { state, now, base, account, slowUntil }) => {
    const { method, path, headers, body } = request
    if (account === null) return problem(400, 190, 0, 'Error validating access token')
    const videos: Record<string, Video> = thingsOf(state, 'videos')
    // Worked on videos appear by themselves.
    for (const [id, one] of Object.entries(videos))
      if (one.words !== null && !one.isShown && now >= slowUntil) {
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
    if (path === `/v23.0/${account}/video_reels` && method === 'POST') {
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
      if (form.get('video_state') !== 'PUBLISHED') return problem(400, 100, 0, 'video_state')
      // Asked for twice, it is the same video.
      one.words ??= form.get('description') ?? ''
      return { json: { success: true } }
    }
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
    const counts = figuresOf(state, id, now)
    const countOf = (total_count: number) => ({ data: [], summary: { total_count } })
    if (counts && formIn(request).get('fields')?.startsWith('views'))
      return {
        json: { id, views: counts.views, likes: countOf(counts.likes), comments: countOf(counts.comments) },
      }
    return { json: { id, permalink_url: `${base}/#${id}`, status: statusOf(one, now) } }
  },
}

const statusOf = (one: Video, now: number) => {
  const isWhole = one.sha256 !== ''
  const uploading_phase = {
    status: isWhole ? 'complete' : 'in_progress',
    bytes_transferred: isWhole ? one.bytes : Buffer.from(one.got, 'base64').length,
  }
  const idle = { status: 'not_started' }
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
