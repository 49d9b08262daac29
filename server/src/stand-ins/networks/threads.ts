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
  madeAt: number
  bytes: number
  sha256: string
  error: string | null
  mediaId: string | null
  /** The post that it answers to. */
  of?: string
}

const posts: Quota = { what: 'posts', most: 250, per: 'account', within: { minutes: 1440 } }

/** Threads: containers for which it fetches the file itself, that end after a day and are published once each. */
export const threadsStandIn: StandIn = {
  network: 'threads',
  name: 'Threads',
  sources: [
    'developers.facebook.com/docs/threads/posts (2026-11)',
    'developers.facebook.com/docs/threads/troubleshooting (2026-11)',
    'developers.facebook.com/docs/threads/reply-management (2026-11)',
  ],
  tokens: { seconds: 5_184_000, refresh: 'none' },
  paths: { authorize: '/oauth/authorize', token: '/oauth/access_token' },
  tokenOf: ({ headers, query }) =>
    /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? query.get('access_token') ?? undefined,
  quotas: [posts],
  handle: (request, stage) => {
    const { state, now, base, account, slowUntil } = stage
    const { method, path } = request
    if (account === null) return problem(400, 190, 'Invalid OAuth access token.')
    const containers: Record<string, Container> = thingsOf(state, 'containers')
    if (path === '/access_token' || path === '/refresh_access_token') {
      const grant = state.grants.find((one) => one.account === account && one.accessEndsAt > now)!
      grant.accessEndsAt = now + 5_184_000_000
      return { json: { access_token: grant.access, token_type: 'bearer', expires_in: 5_184_000 } }
    }
    if (path === '/v1.0/me') return { json: { id: account, username: account } }
    if (path === `/v1.0/${inPath(account)}/threads` && method === 'POST') {
      const form = formIn(request)
      const words = form.get('text') ?? ''
      const address = form.get('video_url') ?? ''
      const of = form.get('reply_to_id')
      if (form.get('media_type') === 'TEXT' && of !== null) {
        if (words === '' || words.length > 500 || !state.timeline.some((entry) => entry.id === of))
          return problem(400, 100, 'Invalid parameter')
        const id = newId()
        containers[id] = { account, words, madeAt: now, bytes: 0, sha256: 'none', error: null, mediaId: null, of }
        return { json: { id } }
      }
      if (form.get('media_type') !== 'VIDEO' || words.length > 500) return problem(400, 100, 'Invalid parameter')
      // It stands on this machine, and fetches nothing from elsewhere.
      if (!['localhost', '127.0.0.1'].includes(URL.parse(address)?.hostname ?? ''))
        return problem(400, 9004, 'The video could not be fetched')
      const id = newId()
      const one: Container = { account, words, madeAt: now, bytes: 0, sha256: '', error: null, mediaId: null }
      containers[id] = one
      return {
        json: { id },
        fetched: {
          address,
          put: (bytes) =>
            bytes
              ? Object.assign(one, { bytes: bytes.length, sha256: sha256(bytes) })
              : Object.assign(one, { error: 'FAILED_DOWNLOADING_VIDEO' }),
        },
      }
    }
    if (path === `/v1.0/${inPath(account)}/threads_publish`) {
      const one = containers[formIn(request).get('creation_id') ?? '']
      if (!one || one.account !== account) return problem(400, 100, 'Object does not exist')
      if (one.mediaId !== null) return problem(400, 9004, 'The container was published already.')
      if (statusOf(one, now, slowUntil) !== 'FINISHED') return problem(400, 9007, 'The media is not ready.')
      // Its page names the number and no code: that of Instagram stands here.
      if (takeOf(stage, posts) !== null) return problem(400, 9, 'The user reached the maximum number of posts', 2207042)
      one.mediaId = newId()
      if (one.of !== undefined) {
        commentOn(state, now, one.of, { id: one.mediaId, account, words: one.words })
        return { json: { id: one.mediaId } }
      }
      publishTo(state, now, { id: one.mediaId, account, words: one.words, bytes: one.bytes, sha256: one.sha256 })
      return { json: { id: one.mediaId } }
    }
    if (path === `/v1.0/${inPath(account)}/threads`)
      return {
        json: {
          data: state.timeline
            .filter((entry) => entry.account === account)
            .slice(0, 20)
            .map(({ id, words, at }) => ({ id, text: words, timestamp: graphTime(at) })),
        },
      }
    const [, media = ''] = /^\/v1\.0\/(\w+)\/insights$/.exec(path) ?? []
    if (media !== '') {
      if (!state.timeline.some((entry) => entry.id === media && entry.account === account))
        return problem(400, 100, 'Object does not exist')
      return { json: { data: insights(figuresOf(state, media, now)!, formIn(request).get('metric') ?? '') } }
    }
    const id = path.replace('/v1.0/', '')
    const one = containers[id]
    if (one && one.account === account)
      return {
        json: {
          id,
          status: statusOf(one, now, slowUntil),
          ...(one.error === null ? {} : { error_message: one.error }),
        },
      }
    if (!state.timeline.some((entry) => entry.id === id && entry.account === account)) return null
    if (method === 'DELETE') {
      state.timeline = state.timeline.filter((entry) => entry.id !== id)
      return { json: { success: true, deleted_id: id } }
    }
    return { json: { id, permalink: `${base}/#${id}` } }
  },
}

/** As the network calls them. */
const insights = (counts: NonNullable<ReturnType<typeof figuresOf>>, asked: string) =>
  Object.entries({ views: 'views', likes: 'likes', comments: 'replies', shares: 'reposts' })
    .filter(([, name]) => asked.split(',').includes(name))
    .map(([key, name]) => ({ name, period: 'lifetime', values: [{ value: counts[key as keyof typeof counts] }] }))

const statusOf = (one: Container, now: number, slowUntil: number): string => {
  if (one.mediaId !== null) return 'PUBLISHED'
  if (one.error !== null) return 'ERROR'
  if (now - one.madeAt > 86_400_000) return 'EXPIRED'
  return one.sha256 === '' || now < slowUntil ? 'IN_PROGRESS' : 'FINISHED'
}

const problem = (status: number, code: number, message: string, sub?: number): StandInReply => ({
  status,
  json: { error: { message, type: 'OAuthException', code, ...(sub === undefined ? {} : { error_subcode: sub }) } },
})
