import {
  commentOn,
  figuresOf,
  formIn,
  inPath,
  graphTime,
  newId,
  publishTo,
  sha256,
  takeOf,
  thingsOf,
  type Quota,
  type StandIn,
  type StandInReply,
} from './stand-in.ts'

type Container = {
  account: string
  words: string
  coverMs?: number | undefined
  madeAt: number
  bytes: number
  /** What came of an upload that was cut off, in base64. */
  got: string
  sha256: string
  status: string
  mediaId: string | null
}

// Meta's pages name 50 and 100 posts.
const posts: Quota = { what: 'posts', most: 100, per: 'account', within: { minutes: 1440 } }
const made: Quota = { what: 'containers', most: 400, per: 'account', within: { minutes: 1440 } }

/** Instagram: containers that end after a day, 9007 for one that is not ready, each published once. */
export const instagramStandIn: StandIn = {
  network: 'instagram',
  name: 'Instagram',
  sources: [
    'developers.facebook.com/docs/instagram-platform/content-publishing (2026-03)',
    'developers.facebook.com/docs/instagram-platform/content-publishing/resumable-uploads (2026-03-15)',
    'developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/comments (2026-11)',
  ],
  tokens: { seconds: 5_184_000, refresh: 'none' },
  paths: { authorize: '/oauth/authorize', token: '/oauth/access_token' },
  tokenOf: ({ headers, query }) =>
    /^(?:Bearer|OAuth) (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? query.get('access_token') ?? undefined,
  quotas: [posts, made],
  handle: (request, stage) => {
    const { state, now, base, account, slowUntil } = stage
    const { method, path, headers, body } = request
    if (account === null) return problem(400, 190, 0, 'Invalid OAuth access token.')
    const containers: Record<string, Container> = thingsOf(state, 'containers')
    if (path === '/access_token' || path === '/refresh_access_token') {
      const grant = state.grants.find((one) => one.account === account && one.accessEndsAt > now)!
      grant.accessEndsAt = now + 5_184_000_000
      return { json: { access_token: grant.access, token_type: 'bearer', expires_in: 5_184_000 } }
    }
    if (path === '/me') return { json: { user_id: account, username: account } }
    if (path === `/v23.0/${inPath(account)}/media` && method === 'POST') {
      const form = formIn(request)
      const words = form.get('caption') ?? ''
      if (form.get('media_type') !== 'REELS' || words.length > 2200) return problem(400, 100, 0, 'Invalid parameter')
      const cover = form.get('thumb_offset')
      if (cover !== null && !/^\d{1,9}$/.test(cover)) return problem(400, 100, 0, 'thumb_offset')
      if (takeOf(stage, made) !== null) return tooMany
      const id = newId()
      containers[id] = {
        account,
        words,
        coverMs: cover === null ? undefined : Number(cover),
        madeAt: now,
        bytes: 0,
        got: '',
        sha256: '',
        status: 'IN_PROGRESS',
        mediaId: null,
      }
      return { json: { id, uri: `${base}/ig-api-upload/${id}` } }
    }
    const upload = containers[path.replace('/ig-api-upload/', '')]
    if (path.startsWith('/ig-api-upload/')) {
      if (!upload || upload.account !== account) return problem(404, 100, 0, 'No such container')
      const got = Buffer.from(upload.got, 'base64')
      if (headers['offset'] !== String(got.length) || upload.status === 'FINISHED')
        return problem(400, 100, 0, 'Bad offset')
      const all = Buffer.concat([got, body])
      if (all.length < Number(headers['file_size'])) {
        upload.got = all.toString('base64')
        return problem(400, 100, 0, 'The upload was cut off')
      }
      Object.assign(upload, { got: '', bytes: all.length, sha256: sha256(all), status: 'FINISHED' })
      return { json: { success: true } }
    }
    if (path === `/v23.0/${inPath(account)}/media_publish`) {
      const one = containers[formIn(request).get('creation_id') ?? '']
      if (!one || one.account !== account) return problem(400, 100, 33, 'Object does not exist')
      if (one.mediaId !== null) return problem(400, 9004, 0, 'The container was published already.')
      const status = statusOf(one, now, slowUntil)
      if (status === 'EXPIRED') return problem(400, 352, 2207020, 'The media you are trying to access has expired.')
      if (status !== 'FINISHED') return problem(400, 9007, 2207027, 'The media is not ready for publishing.')
      if (takeOf(stage, posts) !== null) return tooMany
      one.mediaId = newId()
      publishTo(state, now, {
        id: one.mediaId,
        account,
        words: one.words,
        bytes: one.bytes,
        sha256: one.sha256,
        coverMs: one.coverMs,
      })
      return { json: { id: one.mediaId } }
    }
    if (path === `/v23.0/${inPath(account)}/media`)
      return {
        json: {
          data: state.timeline
            .filter((entry) => entry.account === account)
            .slice(0, 20)
            .map(({ id, words, at }) => ({ id, caption: words, timestamp: graphTime(at) })),
        },
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
              text: words,
            })),
          },
        }
      const words = formIn(request).get('message') ?? ''
      if (words === '' || words.length > 300 || (words.match(/#\w/g) ?? []).length > 4)
        return problem(400, 100, 0, 'message')
      return { json: { id: commentOn(state, now, commented, { account, words }) } }
    }
    const [, media = ''] = /^\/v23\.0\/(\w+)\/insights$/.exec(path) ?? []
    if (media !== '') {
      if (!state.timeline.some((entry) => entry.id === media && entry.account === account))
        return problem(400, 100, 33, 'Object does not exist')
      return { json: { data: insights(figuresOf(state, media, now)!, formIn(request).get('metric') ?? '') } }
    }
    const id = path.replace('/v23.0/', '')
    const one = containers[id]
    if (one && one.account === account)
      return {
        json: {
          id,
          status_code: statusOf(one, now, slowUntil),
          video_status: {
            uploading_phase: {
              bytes_transferred: one.sha256 === '' ? Buffer.from(one.got, 'base64').length : one.bytes,
            },
          },
        },
      }
    if (state.timeline.some((entry) => entry.id === id)) return { json: { id, permalink: `${base}/#${id}` } }
    return null
  },
}

/** As the network calls them. */
const insights = (counts: NonNullable<ReturnType<typeof figuresOf>>, asked: string) =>
  Object.entries({
    views: 'views',
    likes: 'likes',
    comments: 'comments',
    shares: 'shares',
    watchMs: 'ig_reels_video_view_total_time',
  })
    .filter(([, name]) => asked.split(',').includes(name))
    .map(([key, name]) => ({ name, period: 'lifetime', values: [{ value: counts[key as keyof typeof counts] }] }))

const statusOf = (one: Container, now: number, slowUntil: number): string => {
  if (one.mediaId !== null) return 'PUBLISHED'
  if (now - one.madeAt > 86_400_000) return 'EXPIRED'
  return one.status === 'FINISHED' && now < slowUntil ? 'IN_PROGRESS' : one.status
}

const problem = (status: number, code: number, sub: number, message: string): StandInReply => ({
  status,
  json: { error: { message, type: 'OAuthException', code, error_subcode: sub } },
})

const tooMany = problem(
  400,
  9,
  2207042,
  'The user reached the maximum number of posts that can be published by Content Publishing API.',
)
