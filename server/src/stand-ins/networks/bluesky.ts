import { createRequire } from 'node:module'
import {
  commentOn,
  figuresOf,
  grantTo,
  jsonIn,
  leftOf,
  newId,
  publishTo,
  sha256,
  takeOf,
  thingsOf,
  type Quota,
  type StandIn,
  type StandInReply,
  type StandInState,
} from './stand-in.ts'

type Job = { account: string; sha256: string; bytes: number }
type Pass = { account: string; method: string; endsAt: number }

/** The account's own limits say how many; no page names the number. */
const videos: Quota = { what: 'videos', most: 25, per: 'account', within: { dayIn: 'UTC' } }

/**
 * Bluesky: an account's own server and the video service below one name. Every request is held against the network's published
 * lexicons; a record's key is taken once.
 */
export const blueskyStandIn: StandIn = {
  network: 'bluesky',
  name: 'Bluesky',
  sources: [
    'the lexicons app.bsky.* and com.atproto.* as the package @atproto/api 0.21.0 publishes them',
    'docs.bsky.app/docs/tutorials/video (2026-11)',
    'a real server (@atproto/pds 0.5.35) for refusals: docs/networks.md',
  ],
  tokens: { seconds: 7200, refresh: 'rotates' },
  quotas: [videos],
  shownAt: ({ path }) => /^\/profile\/[^/]+\/post\/([a-z2-7]+)$/.exec(path)?.[1],
  handle: (request, stage) => {
    const { state, now, base, account, slowUntil } = stage
    const [, name = ''] = /^\/xrpc\/([\w.]+)$/.exec(request.path) ?? []
    const problem = problemOf(request.method, name, request)
    if (problem !== null) return refused(400, 'InvalidRequest', problem)
    const input = request.method === 'POST' ? jsonIn(request) : Object.fromEntries(request.query)
    const given = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? ''
    if (name === 'com.atproto.server.describeServer')
      return { json: { did: serverDid, availableUserDomains: ['.sandbox'] } }
    if (name === 'com.atproto.server.createSession') return signIn(state, now, base, input)
    if (name === 'com.atproto.server.refreshSession') return refresh(state, now, base, given)
    if (name === 'com.atproto.server.deleteSession') {
      state.grants = state.grants.filter((grant) => grant.refresh !== given)
      return { json: {} }
    }
    const jobs: Record<string, Job> = thingsOf(state, 'jobs')
    const passes: Record<string, Pass> = thingsOf(state, 'passes')
    if (name === 'app.bsky.video.uploadVideo') {
      const pass = passes[given]
      if (!pass || pass.endsAt < now || pass.method !== 'com.atproto.repo.uploadBlob')
        return refused(401, 'AuthenticationRequired', 'The service token does not allow it')
      if (Number(request.headers['content-length']) !== request.body.length)
        return refused(400, 'InvalidRequest', 'The upload was cut off')
      const hash = sha256(request.body)
      const did = didOf(pass.account)
      const known = Object.keys(jobs).find((id) => jobs[id]!.sha256 === hash && jobs[id]!.account === pass.account)
      if (known !== undefined)
        return { status: 409, json: { did, error: 'already_exists', jobId: known, state: 'JOB_STATE_COMPLETED' } }
      if (takeOf({ ...stage, account: pass.account }, videos) !== null)
        return refused(429, 'RateLimitExceeded', 'Too many videos today')
      const jobId = newId()
      jobs[jobId] = { account: pass.account, sha256: hash, bytes: request.body.length }
      return { json: { jobStatus: { jobId, did, state: 'JOB_STATE_CREATED' } } }
    }
    if (name === 'app.bsky.video.getUploadLimits') {
      const pass = passes[given]
      if (!pass || pass.endsAt < now || pass.method !== name)
        return refused(401, 'AuthenticationRequired', 'The service token does not allow it')
      const left = leftOf({ ...stage, account: pass.account }, videos)
      return left > 0
        ? { json: { canUpload: true, remainingDailyVideos: left } }
        : { json: { canUpload: false, remainingDailyVideos: 0, message: 'User has exceeded daily upload limit' } }
    }
    if (name === 'app.bsky.video.getJobStatus') {
      const job = jobs[String(input['jobId'])]
      if (!job) return refused(400, 'InvalidRequest', 'No such job')
      const status = { jobId: input['jobId'], did: didOf(job.account) }
      if (now < slowUntil) return { json: { jobStatus: { ...status, state: 'JOB_STATE_ENCODING', progress: 40 } } }
      return { json: { jobStatus: { ...status, state: 'JOB_STATE_COMPLETED', blob: blobOf(job) } } }
    }
    const records: Record<string, string> = thingsOf(state, 'records')
    if (name === 'app.bsky.feed.getPosts') {
      if (account === null) return refused(401, 'AuthenticationRequired', 'Sign in')
      const posts = request.query.getAll('uris').flatMap((uri) => {
        const counts = figuresOf(state, uri.split('/').at(-1)!, now)
        const { likes = 0, comments = 0, shares = 0 } = counts ?? {}
        return counts ? [{ uri, likeCount: likes, replyCount: comments, repostCount: shares, quoteCount: 0 }] : []
      })
      return { json: { posts } }
    }
    const keyOf = (repo: unknown) => `${didOf(String(repo))}/${String(input['collection'])}/${String(input['rkey'])}`
    if (name === 'com.atproto.repo.getRecord') {
      const record = records[keyOf(input['repo'])]
      return record === undefined
        ? refused(400, 'RecordNotFound', 'Could not locate record')
        : {
            json: {
              uri: `at://${keyOf(input['repo'])}`,
              cid: blobOf({ sha256: sha256(Buffer.from(record)) }).ref.$link,
              value: JSON.parse(record),
            },
          }
    }
    if (name === 'com.atproto.identity.resolveHandle') return { json: { did: didOf(String(input['handle'])) } }
    if (account === null) return refused(400, 'ExpiredToken', 'Token has expired')
    if (name === 'com.atproto.server.getServiceAuth') {
      const endsAt = input['exp'] === undefined ? now + 60_000 : Number(input['exp']) * 1000
      const isForLimits = input['lxm'] === 'app.bsky.video.getUploadLimits'
      if (input['aud'] !== serverDid && !isForLimits) return refused(400, 'InvalidRequest', 'aud')
      if (endsAt < now || endsAt > now + 3_600_000)
        return refused(
          400,
          'BadExpiration',
          'cannot request a token with an expiration more than an hour in the future',
        )
      const token = newId(24)
      passes[token] = { account, method: String(input['lxm']), endsAt }
      return { json: { token } }
    }
    if (name === 'com.atproto.repo.uploadBlob') {
      const hash = sha256(request.body)
      thingsOf(state, 'texts')[hash] = account
      const mimeType = request.headers['content-type'] ?? 'application/octet-stream'
      return { json: { blob: { ...blobOf({ sha256: hash, bytes: request.body.length }), mimeType } } }
    }
    if (didOf(String(input['repo'])) !== didOf(account)) return refused(401, 'AuthenticationRequired', 'Not your repo')
    if (name === 'com.atproto.repo.createRecord') {
      const { record } = input as {
        record: {
          text: string
          embed: { video: { ref: { $link: string } }; captions?: { lang: string; file: { ref: { $link: string } } }[] }
          reply?: { root: { uri: string; cid: string }; parent: { uri: string; cid: string } }
        }
      }
      if (record.reply) {
        if (records[keyOf(account)] !== undefined) return refused(500, 'InternalServerError', 'Internal Server Error')
        records[keyOf(account)] = JSON.stringify(record)
        const of = record.reply.parent.uri.split('/').at(-1)!
        commentOn(state, now, of, { id: String(input['rkey']), account, words: record.text })
        return { json: { uri: `at://${keyOf(account)}`, cid: 'none' } }
      }
      const job = Object.values(jobs).find((one) => blobOf(one).ref.$link === record.embed.video.ref.$link)
      if (!job) return refused(400, 'InvalidRequest', `Could not find blob: ${record.embed.video.ref.$link}`)
      if (records[keyOf(account)] !== undefined) return refused(500, 'InternalServerError', 'Internal Server Error')
      records[keyOf(account)] = JSON.stringify(record)
      const { bytes, sha256: hash } = job
      const texts = Object.keys(thingsOf(state, 'texts'))
      const captions = Object.fromEntries(
        (record.embed.captions ?? []).map(({ lang, file }) => [
          lang,
          texts.find((text) => blobOf({ sha256: text }).ref.$link === file.ref.$link) ?? 'none',
        ]),
      )
      publishTo(state, now, {
        id: String(input['rkey']),
        account,
        words: record.text,
        bytes,
        sha256: hash,
        ...(record.embed.captions ? { captions } : {}),
      })
      return { json: { uri: `at://${didOf(account)}/${String(input['collection'])}/${String(input['rkey'])}` } }
    }
    if (name === 'com.atproto.repo.deleteRecord') {
      delete records[keyOf(account)]
      state.timeline = state.timeline.filter((entry) => entry.account !== account || entry.id !== input['rkey'])
      return { json: {} }
    }
    return null
  },
}

const serverDid = 'did:web:bluesky.sandbox'
/** Made from the name, so that it is the same each time. */
const didOf = (account: string): string =>
  account.startsWith('did:')
    ? account
    : `did:plc:${base32(Buffer.from(sha256(Buffer.from(account)), 'hex')).slice(0, 24)}`

const base32 = (bytes: Buffer): string => {
  const signs = 'abcdefghijklmnopqrstuvwxyz234567'
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => signs[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** A file as records name it: the version, “raw”, and its sha-256 (multiformats.io). */
const blobOf = ({ sha256: hash, bytes = 0 }: { sha256: string; bytes?: number }) => ({
  $type: 'blob',
  ref: { $link: `b${base32(Buffer.concat([Buffer.from([1, 0x55, 0x12, 0x20]), Buffer.from(hash, 'hex')]))}` },
  mimeType: 'video/mp4',
  size: bytes,
})

const tokenOf = (scope: string, account: string, endsAt: number): string =>
  [{ alg: 'none' }, { scope, sub: didOf(account), exp: Math.floor(endsAt / 1000), jti: newId() }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.') + `.${newId(24)}`

const months = 90 * 86_400_000

/** An app password is four times four letters; everything else is taken for the account's own password, and opens more. */
const signIn = (state: StandInState, now: number, base: string, input: Record<string, unknown>): StandInReply => {
  const account = String(input['identifier']).replace(/^@/, '').toLowerCase()
  const password = String(input['password'])
  if (password === 'wrong') return refused(401, 'AuthenticationRequired', 'Invalid identifier or password')
  const isApp = /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/.test(password)
  grantTo(blueskyStandIn, state, account, now)
  const grant = state.grants.at(-1)!
  grant.access = tokenOf(isApp ? 'com.atproto.appPass' : 'com.atproto.access', account, grant.accessEndsAt)
  grant.refresh = tokenOf('com.atproto.refresh', account, now + months)
  return session(base, grant)
}

/** Another refresh token each time; the one before still brings the same for two hours. */
const refresh = (state: StandInState, now: number, base: string, given: string): StandInReply => {
  const grant = state.grants.find((one) => one.refresh === given || one.used.at(-1) === given)
  if (!grant) return refused(400, 'ExpiredToken', 'Token has been revoked')
  if (grant.refresh === given) {
    grant.used.push(given)
    grant.refresh = tokenOf('com.atproto.refresh', grant.account, now + months)
  }
  grant.accessEndsAt = now + 7_200_000
  grant.access = tokenOf('com.atproto.appPass', grant.account, grant.accessEndsAt)
  return session(base, grant)
}

const session = (base: string, { account, access, refresh: given }: StandInState['grants'][number]): StandInReply => ({
  json: {
    accessJwt: access,
    refreshJwt: given,
    handle: account,
    did: didOf(account),
    didDoc: {
      id: didOf(account),
      service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: base }],
    },
    active: true,
  },
})

// Read with the first request: it takes longer than to start all the stand-ins.
const published = (): typeof import('@atproto/api') => createRequire(import.meta.url)('@atproto/api')

/** What the network's own description says against a request; null where it fits. */
const problemOf = (
  asked: string,
  name: string,
  request: { query: URLSearchParams; body: Buffer; headers: Readonly<Record<string, string | undefined>> },
): string | null => {
  const { jsonToLex, lexicons } = published()
  try {
    const definition = lexicons.getDefOrThrow(name, ['query', 'procedure'])
    if ((definition.type === 'query') !== (asked === 'GET')) return 'another method'
    const numbers = (value: string) => (/^\d+$/.test(value) ? Number(value) : value)
    lexicons.assertValidXrpcParams(
      name,
      Object.fromEntries(
        [...listed(request.query)].map(([key, value]) => [key, key === 'exp' ? numbers(value) : value]),
      ),
    )
    if (definition.type === 'query' || definition.input === undefined) return null
    const { encoding } = definition.input
    if (encoding !== '*/*' && encoding !== (request.headers['content-type'] ?? '').split(';')[0])
      return 'another encoding'
    if (definition.input.schema === undefined) return null
    const input = jsonToLex(JSON.parse(request.body.toString())) as Record<string, unknown>
    lexicons.assertValidXrpcInput(name, input)
    if (name === 'com.atproto.repo.createRecord') {
      lexicons.assertValidRecord(String(input['collection']), input['record'])
      if (!/^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/.test(String(input['rkey']))) return 'rkey'
    }
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** A parameter that may come several times is a list. */
const listed = (query: URLSearchParams): Map<string, any> =>
  new Map([...query].map(([key, value]) => [key, key === 'uris' ? query.getAll(key) : value]))

const refused = (status: number, error: string, message: string): StandInReply => ({ status, json: { error, message } })
