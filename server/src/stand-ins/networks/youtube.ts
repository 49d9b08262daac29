import { describedBy, problemBy } from './described.ts'
import {
  commentOn,
  figuresOf,
  jsonIn,
  newId,
  publishTo,
  sha256,
  takeOf,
  thingsOf,
  type Quota,
  type StandIn,
  type StandInReply,
  type StandInRequest,
  type StandInState,
} from './stand-in.ts'

type Video = {
  id: string
  account: string
  title: string
  words: string
  privacy: string
  bytes: number
  sha256: string
  /** Of the picture that was set before it. */
  coverSha256?: string
  captions?: Record<string, string>
}
type Session = {
  account: string
  total: number
  got: string[]
  at: number
  title: string
  words: string
  videoId: string | null
}

const pacific = { dayIn: 'America/Los_Angeles' }
const uploads: Quota = { what: 'uploads', most: 100, per: 'app', within: pacific }
const units: Quota = { what: 'units', most: 10_000, per: 'app', within: pacific }
/** What a request costs in units, by its method and path; an upload is counted for itself. */
const costOf = (method: string, path: string): number => {
  if (path.endsWith('/captions')) return 400
  return method === 'GET' ? 1 : 50
}

/** YouTube: 308 with the range that is there, chunks of 256 KiB, one video for each session, private until it is changed. */
export const youtubeStandIn: StandIn = {
  network: 'youtube',
  name: 'YouTube',
  hint: 'Whoever has “unverified” in their name may set no covers.',
  sources: [
    'each request: Google’s own package @googleapis/youtube 39.0.0',
    'developers.google.com/youtube/v3/guides/using_resumable_upload_protocol (2026-11)',
    'developers.google.com/youtube/v3/docs/videos (2026-11)',
    'developers.google.com/youtube/v3/docs/thumbnails/set (2026-11)',
    'developers.google.com/youtube/v3/docs/captions/insert (2026-11)',
    'developers.google.com/youtube/v3/docs/commentThreads/insert (2026-11)',
  ],
  tokens: { seconds: 3600, refresh: 'stays' },
  paths: { authorize: '/o/oauth2/v2/auth', token: '/token', revoke: '/revoke' },
  quotas: [uploads, units],
  shownAt: ({ path, query }) => (path === '/watch' ? (query.get('v') ?? undefined) : undefined),
  handle: (request, stage) => {
    const { state, now, base, account } = stage
    const { method, path, query, headers, body } = request
    const sessions: Record<string, Session> = thingsOf(state, 'sessions')
    const videos: Record<string, Video> = thingsOf(state, 'videos')
    const session = path.startsWith('/upload/session/') ? sessions[path.slice('/upload/session/'.length)] : undefined
    // The session's address is its own permission.
    if (path.startsWith('/upload/session/'))
      return session ? put(session, videos, headers, body) : problem(404, 'notFound')
    if (account === null) return problem(401, 'authError')
    const misfit = misfitOf(request)
    if (misfit !== null) return problem(400, 'invalidRequest', misfit)
    const isUpload = path === '/upload/youtube/v3/videos'
    const again = isUpload ? takeOf(stage, uploads) : takeOf(stage, units, costOf(method, path))
    if (again !== null) return problem(403, isUpload ? 'uploadLimitExceeded' : 'quotaExceeded')
    if (path === '/youtube/v3/channels')
      return { json: { items: [{ id: `UC-${account}`, snippet: { title: account } }] } }
    if (path === '/upload/youtube/v3/videos' && method === 'POST') {
      const { snippet = {}, status = {} } = jsonIn(request)
      if (typeof snippet.title !== 'string' || snippet.title === '' || snippet.title.length > 100)
        return problem(400, 'invalidTitle')
      if (String(snippet.description ?? '').length > 5000 || /[<>]/.test(`${snippet.title}${snippet.description}`))
        return problem(400, 'invalidDescription')
      if (status.privacyStatus !== 'private') return problem(400, 'invalidRequest')
      const total = Number(headers['x-upload-content-length'])
      if (!(total > 0)) return problem(400, 'mediaBodyRequired')
      const id = newId(18)
      sessions[id] = {
        account,
        total,
        got: [],
        at: 0,
        title: snippet.title,
        words: snippet.description ?? '',
        videoId: null,
      }
      return { headers: { location: `${base}/upload/session/${id}` }, json: {} }
    }
    if (path === '/upload/youtube/v3/captions') {
      const mark = /^multipart\/related; boundary=(\S+)$/.exec(headers['content-type'] ?? '')?.[1] ?? '-'
      const [, head = '', file = ''] = body.toString().split(`--${mark}`)
      const { videoId, language } = (jsonOr(head.slice(head.indexOf('{'))) ?? {}).snippet ?? {}
      const video = videos[String(videoId)]
      if (!video || video.account !== account) return problem(404, 'videoNotFound')
      if (typeof language !== 'string' || !/\d\d:\d\d:\d\d,\d{3} --> /.test(file))
        return problem(400, 'contentRequired')
      if (video.captions?.[language] !== undefined) return problem(409, 'captionExists')
      ;(video.captions ??= {})[language] = sha256(Buffer.from(file.slice(file.indexOf('\r\n\r\n') + 4, -2)))
      return { json: { id: newId() } }
    }
    if (path === '/upload/youtube/v3/thumbnails/set') {
      const video = videos[query.get('videoId') ?? '']
      if (!video || video.account !== account) return problem(404, 'videoNotFound')
      // Only channels that are verified by phone may set one; here a name says that one is not.
      if (/unverified/.test(account)) return problem(403, 'forbidden')
      if (
        !/^image\/(jpeg|png)$/.test(headers['content-type'] ?? '') ||
        body.length === 0 ||
        body.length > 2 * 1024 * 1024
      )
        return problem(400, 'mediaBodyRequired')
      video.coverSha256 = sha256(body)
      return { json: { items: [{}] } }
    }
    if (path === '/youtube/v3/commentThreads' && method === 'POST') {
      const { channelId, videoId, topLevelComment } = jsonIn(request).snippet ?? {}
      const words = topLevelComment?.snippet?.textOriginal
      if (channelId === undefined || videoId === undefined) return problem(400, 'channelOrVideoIdMissing')
      if (typeof words !== 'string' || words === '') return problem(400, 'commentTextRequired')
      if (words.length > 10_000) return problem(400, 'commentTextTooLong')
      const id = commentOn(state, now, String(videoId), { account, words })
      return id === null ? problem(404, 'videoNotFound') : { json: { id } }
    }
    if (path === '/youtube/v3/commentThreads') {
      const entry = state.timeline.find((one) => one.id === query.get('videoId'))
      if (!entry) return problem(404, 'videoNotFound')
      const items = (entry.comments ?? []).map((one) => ({
        id: one.id,
        snippet: {
          topLevelComment: {
            snippet: { textOriginal: one.words, authorChannelId: { value: `UC-${one.account}` } },
          },
        },
      }))
      return { json: { items: items.toReversed() } }
    }
    if (path !== '/youtube/v3/videos') return null
    if (method === 'GET' && query.get('part') === 'statistics') {
      const ids = (query.get('id') ?? '').split(',')
      if (ids.length > 50) return problem(400, 'invalidFilters')
      const items = ids.flatMap((one) => {
        const said = figuresOf(state, one, now)
        // A private video has no figures that somebody else made.
        const { views = 0, likes = 0, comments = 0 } = said ?? {}
        // Counts are texts there.
        const statistics = {
          viewCount: `${views}`,
          likeCount: `${likes}`,
          commentCount: `${comments}`,
          favoriteCount: '0',
        }
        return videos[one]?.account === account ? [{ id: one, statistics }] : []
      })
      return { json: { items } }
    }
    const id = method === 'PUT' ? String(jsonIn(request).id) : (query.get('id') ?? '')
    const video = videos[id]
    if (!video || video.account !== account)
      return method === 'GET' ? { json: { items: [] } } : problem(404, 'videoNotFound')
    if (method === 'GET')
      return { json: { items: [{ id, status: { privacyStatus: video.privacy, uploadStatus: 'processed' } }] } }
    if (method === 'DELETE') {
      delete videos[id]
      state.timeline = state.timeline.filter((entry) => entry.id !== id)
      return { status: 204 }
    }
    show(state, video, String(jsonIn(request).status?.privacyStatus), now)
    return { json: { id, status: { privacyStatus: video.privacy } } }
  },
}

const jsonOr = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const show = (state: StandInState, video: Video, privacy: string, now: number): void => {
  const { id, account, title, words, bytes, coverSha256, captions } = video
  // What everybody sees appears once, however often it is set.
  if (privacy !== 'private' && video.privacy === 'private')
    publishTo(state, now, {
      id,
      account,
      words: `${title}\n${words}`,
      bytes,
      sha256: video.sha256,
      coverSha256,
      captions,
    })
  video.privacy = privacy
}

const put = (
  session: Session,
  videos: Record<string, Video>,
  headers: Readonly<Record<string, string | undefined>>,
  body: Buffer,
): StandInReply => {
  const range = headers['content-range'] ?? ''
  if (session.videoId !== null) return { json: { id: session.videoId } }
  if (range === `bytes */${session.total}`) return resume(session)
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? []
  if (
    Number(total) !== session.total ||
    Number(start) !== session.at ||
    Number(end) - Number(start) + 1 !== body.length
  )
    return problem(400, 'badContentRange')
  const isLast = Number(end) + 1 === session.total
  if (!isLast && body.length % (256 * 1024) !== 0) return problem(400, 'badChunkSize')
  session.got.push(body.toString('base64'))
  session.at += body.length
  if (!isLast) return resume(session)
  const bytes = Buffer.concat(session.got.map((part) => Buffer.from(part, 'base64')))
  session.got = []
  const { account, title, words } = session
  const video: Video = {
    id: newId(8),
    account,
    title,
    words,
    privacy: 'private',
    bytes: bytes.length,
    sha256: sha256(bytes),
  }
  videos[video.id] = video
  session.videoId = video.id
  return { json: { id: video.id } }
}

const resume = ({ at }: Session): StandInReply => ({
  status: 308,
  headers: at > 0 ? { range: `bytes=0-${at - 1}` } : {},
})

const problem = (status: number, reason: string, message = reason): StandInReply => ({
  status,
  json: { error: { code: status, message, errors: [{ reason }] } },
})

const described = describedBy('youtube')

/** What Google's own description says against a request; of captions their first part is described. */
const misfitOf = (request: StandInRequest): string | null => {
  if (!request.path.endsWith('/captions')) return problemBy(described, request)
  const [head = ''] = request.body.toString().split('\r\n--')
  const fields = jsonOr(head.slice(head.indexOf('{')))
  return fields === null ? 'the body is no JSON' : problemBy(described, request, fields)
}
