import { describedBy, problemBy } from './described.ts'
import {
  commentOn,
  figuresOf,
  inPath,
  jsonIn,
  newId,
  partsIn,
  publishTo,
  sha256,
  takeOf,
  thingsOf,
  type Quota,
  type StandIn,
  type StandInRequest,
} from './stand-in.ts'

type Media = {
  account: string
  key: string
  total: number
  got: string[]
  at: number
  isFinal: boolean
  sha256: string
}

const posts: Quota = { what: 'posts', most: 100, per: 'account', within: { minutes: 15 } }

/** X: segments in order, no post before the video is worked on, the same text and media refused as a duplicate. */
export const xStandIn: StandIn = {
  network: 'x',
  name: 'X',
  sources: [
    'each request: X’s own package @xdevplatform/xdk 0.6.6',
    'docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-08-22)',
    'docs.x.com/x-api/fundamentals/rate-limits (2026-08-22)',
    'docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (2026-08-22)',
  ],
  tokens: { seconds: 7200, refresh: 'rotates' },
  paths: { authorize: '/i/oauth2/authorize', token: '/2/oauth2/token', revoke: '/2/oauth2/revoke' },
  isBasic: true,
  quotas: [posts],
  shownAt: ({ path }) => /^\/[^/]+\/status\/([^/]+)$/.exec(path)?.[1],
  handle: (request, stage) => {
    const { state, now, account, slowUntil } = stage
    const { method, path, query } = request
    if (account === null) return { status: 401, json: { title: 'Unauthorized', detail: 'Unauthorized' } }
    const problem = misfitOf(request)
    if (problem !== null) return bad(problem)
    const media: Record<string, Media> = thingsOf(state, 'media')
    if (path === '/2/users/me') return { json: { data: { id: account, username: account } } }
    if (path === '/2/media/upload/initialize') {
      const total = Number(jsonIn(request).total_bytes)
      if (!(total > 0 && total <= 512_000_000)) return bad('total_bytes')
      const id = String(1_000_000 + Object.keys(media).length)
      media[id] = { account, key: `13_${id}`, total, got: [], at: 0, isFinal: false, sha256: '' }
      return { json: { data: { id, media_key: `13_${id}`, expires_after_secs: 1_295_999 } } }
    }
    const [, id = '', command] = /^\/2\/media\/upload\/(\d+)\/(append|finalize)$/.exec(path) ?? []
    const one = media[id || (query.get('media_id') ?? '')]
    if (path.startsWith('/2/media/upload') && (!one || one.account !== account)) return bad('media_id')
    if (command === 'append') {
      const parts = partsIn(request)
      const index = Number(parts.get('segment_index')?.toString())
      const bytes = parts.get('media')
      if (one!.isFinal || !bytes || index > one!.got.length) return bad('segment_index')
      // A segment that comes again takes its own place.
      one!.got[index] = bytes.toString('base64')
      return { json: { data: { expires_at: Math.floor(now / 1000) + 1_295_999 } } }
    }
    if (command === 'finalize') {
      const bytes = Buffer.concat(one!.got.map((part) => Buffer.from(part, 'base64')))
      if (!one!.isFinal && bytes.length !== one!.total) return bad('the segments are not the whole video')
      if (!one!.isFinal) Object.assign(one!, { isFinal: true, sha256: sha256(bytes), got: [] })
      return { json: { data: { id, media_key: one!.key, processing_info: { state: 'pending', check_after_secs: 1 } } } }
    }
    if (path === '/2/media/upload' && query.get('command') === 'STATUS')
      return { json: { data: { id, processing_info: { state: now < slowUntil ? 'in_progress' : 'succeeded' } } } }
    if (path === '/2/tweets' && method === 'POST') {
      const { text = '', media: given, reply } = jsonIn(request)
      if (reply !== undefined) {
        if (text === '' || text.length > 280) return bad('text')
        const of = String(reply.in_reply_to_tweet_id)
        const entry = state.timeline.find((one) => one.id === of)
        // The same answer of the same account once more is a duplicate.
        if (entry?.comments?.some((one) => one.account === account && one.words === text))
          return {
            status: 403,
            json: { title: 'Forbidden', detail: 'You are not allowed to create a Tweet with duplicate content.' },
          }
        const id = commentOn(state, now, of, { account, words: text })
        return id === null ? bad('in_reply_to_tweet_id') : { status: 201, json: { data: { id, text } } }
      }
      const attached = media[given?.media_ids?.[0] ?? '']
      if (!attached?.isFinal || attached.account !== account || now < slowUntil)
        return bad('Your media IDs are invalid.')
      if (text.length > 280) return bad('text')
      const isTwice = state.timeline.some((entry) => entry.account === account && entry.words === text)
      if (isTwice)
        return {
          status: 403,
          json: { title: 'Forbidden', detail: 'You are not allowed to create a Tweet with duplicate content.' },
        }
      const again = takeOf(stage, posts)
      if (again !== null)
        return {
          status: 429,
          headers: { 'x-rate-limit-reset': String(Math.ceil(again / 1000)) },
          json: { title: 'Too Many Requests', detail: 'Too Many Requests' },
        }
      const postId = newId()
      thingsOf(state, 'keys')[postId] = attached.key
      publishTo(state, now, { id: postId, account, words: text, bytes: attached.total, sha256: attached.sha256 })
      return { status: 201, json: { data: { id: postId, text } } }
    }
    if (path === '/2/tweets' && method === 'GET') {
      const ids = (query.get('ids') ?? '').split(',')
      if (ids.length > 100) return bad('ids')
      const data = ids.flatMap((id) => {
        const said = figuresOf(state, id, now)
        if (!said) return []
        const { views, likes, comments, shares } = said
        const counts = { impression_count: views, like_count: likes, reply_count: comments, retweet_count: shares }
        return [{ id, text: '', public_metrics: { ...counts, quote_count: 0, bookmark_count: 0 } }]
      })
      return { json: data.length === 0 ? { errors: [] } : { data } }
    }
    if (path === `/2/users/${inPath(account)}/tweets`) {
      const keys = thingsOf(state, 'keys')
      const mine = state.timeline.filter((entry) => entry.account === account).slice(0, 100)
      const answers = mine.flatMap(({ id: of, comments = [] }) =>
        comments
          .filter((one) => one.account === account)
          .map(({ id, words }) => ({ id, text: words, referenced_tweets: [{ type: 'replied_to', id: of }] })),
      )
      const posts = mine.map((entry) => ({ id: entry.id, attachments: { media_keys: [keys[entry.id]] } }))
      return { json: { data: [...answers, ...posts] } }
    }
    if (path.startsWith('/2/tweets/') && method === 'DELETE') {
      const before = state.timeline.length
      state.timeline = state.timeline.filter((entry) => entry.id !== path.slice('/2/tweets/'.length))
      return before === state.timeline.length ? { status: 404, json: {} } : { json: { data: { deleted: true } } }
    }
    return null
  },
}

const described = describedBy('x')

/**
 * What X's own description says against a request. Its pages name `tweet.fields` where its package has `post.fields`: which of them
 * counts is to be tried live.
 */
const misfitOf = (request: StandInRequest): string | null => {
  const query = new URLSearchParams(
    [...request.query].map(([name, value]) => [name === 'tweet.fields' ? 'post.fields' : name, value]),
  )
  const parts = partsIn(request)
  const fields = [...parts].map(([name, part]) => [name, name === 'segment_index' ? Number(part.toString()) : ''])
  return problemBy(described, { ...request, query }, parts.size === 0 ? undefined : Object.fromEntries(fields))
}

const bad = (detail: string) => ({ status: 400, json: { title: 'Invalid Request', detail } })
