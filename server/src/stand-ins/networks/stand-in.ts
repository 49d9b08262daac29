import { createHash, randomBytes } from 'node:crypto'
import { dayIn } from '@clear-to-post/domain/calendar'

/** One request to a stand-in: `path` without the network's own first part. */
export type StandInRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}
export type StandInReply = {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  html?: string
  bytes?: Buffer
  /** A file that the network fetches itself, before it answers; null: it could not. */
  fetched?: { address: string; put: (bytes: Buffer | null) => void }
}

/** What stands on a public timeline: anybody may read it. */
export type TimelineEntry = {
  id: string
  account: string
  words: string
  at: number
  bytes: number
  sha256: string
  coverMs?: number | undefined
  /** Of the picture before it, where it came as a file. */
  coverSha256?: string | undefined
  /** What was declared of it. */
  marks?: Record<string, boolean> | undefined
  /** Of the captions that came as files, by language. */
  captions?: Record<string, string> | undefined
  comments?: { id: string; account: string; words: string; at: number }[]
}

type Grant = {
  account: string
  access: string
  accessEndsAt: number
  refresh: string | null
  /** Refresh tokens of this grant that were used: one that comes again ends the whole grant. */
  used: string[]
}
type Code = { account: string; challenge: string; redirectUri: string; endsAt: number }

/** Everything that a stand-in remembers; it is written to disk as it is. */
export type StandInState = {
  codes: Record<string, Code>
  grants: Grant[]
  /** What a network keeps of its own: sessions, containers, videos. */
  things: Record<string, Record<string, any>>
  timeline: TimelineEntry[]
  /** Every post that was ever made, taken down or not. */
  made: number
}
export const emptyState = (): StandInState => ({ codes: {}, grants: [], things: {}, timeline: [], made: 0 })

/** What a stand-in's own code is given. */
export type Stage = {
  state: StandInState
  now: number
  /** Where this stand-in answers, without a slash at the end. */
  base: string
  /** The account whose bearer token came; null where it is none of ours or has ended. */
  account: string | null
  /** While it is set, work on a video is not done before this moment. */
  slowUntil: number
  /** For tests: no quota is counted. */
  isUnlimited?: boolean | undefined
  /** For tests: parts of files may be as small as this, and are as large where the network chooses. */
  partBytes?: number | undefined
}

/** So much of something a network lets an account, or an app with all of its accounts, have in a while. */
export type Quota = {
  what: string
  most: number
  per: 'account' | 'app'
  /** Counted back from now; or each day anew, by the clocks of a zone. */
  within: { minutes: number } | { dayIn: string }
}

/** One network as its documents describe it. */
export type StandIn = {
  network: string
  name: string
  /** What a name does here, said where one is chosen. */
  hint?: string
  /** The pages that its behaviour was read from, and the day. */
  sources: readonly string[]
  /** Seconds that an access token lasts; whether a refresh token comes, and whether it is another one each time. */
  tokens: { seconds: number; refresh: 'none' | 'stays' | 'rotates' }
  quotas: readonly Quota[]
  /** Its OAuth; undefined where people sign in otherwise. */
  paths?: { authorize: string; token: string; revoke?: string }
  /** The app says who it is by `Authorization: Basic` where tokens are given out and ended. */
  isBasic?: true
  /** Which post an address shows that people open in their browser; undefined of every other request. */
  shownAt?: (request: Pick<StandInRequest, 'path' | 'query'>) => string | undefined
  /** Answers one request; null for an unknown one. */
  handle: (request: StandInRequest, stage: Stage) => StandInReply | null
  /** A token for a request that carries it elsewhere than in `Authorization: Bearer`. */
  tokenOf?: (request: StandInRequest) => string | undefined
}

/** Answers a request: OAuth and the public timeline are the same everywhere, the rest is the network's own. */
export const answerOf = (
  standIn: StandIn,
  request: StandInRequest,
  { state, now, base, slowUntil, partBytes, isUnlimited }: Omit<Stage, 'account'>,
): StandInReply => {
  const { method, path } = request
  if (path === '/' || path === '') return { html: timelinePage(standIn, state) }
  const shown = method === 'GET' ? standIn.shownAt?.(request) : undefined
  if (shown !== undefined)
    return { status: 303, headers: { location: `${base}/#${encodeURIComponent(shown)}` }, html: '' }
  const { paths } = standIn
  if (path === paths?.authorize) return method === 'POST' ? decide(standIn, request, state, now) : ask(standIn, request)
  if (paths && (path === paths.token || path === paths.revoke)) {
    if (standIn.isBasic && !/^Basic ./.test(request.headers['authorization'] ?? ''))
      return { status: 401, json: { error: 'unauthorized_client', error_description: 'Missing valid authorization' } }
    return path === paths.token ? token(standIn, request, state, now) : revoke(request, state)
  }
  const given =
    standIn.tokenOf?.(request) ?? /^(?:Bearer|OAuth) (.+)$/i.exec(request.headers['authorization'] ?? '')?.[1]
  const grant = state.grants.find(({ access, accessEndsAt }) => access === given && accessEndsAt > now)
  const account = grant?.account ?? null
  const reply = standIn.handle(request, { state, now, base, slowUntil, partBytes, isUnlimited, account })
  return reply ?? { status: 404, json: { error: { message: 'Unknown path' } } }
}

export const newId = (bytes = 9): string => randomBytes(bytes).toString('base64url').replace(/[-_]/g, 'x')
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
export const jsonIn = ({ body }: StandInRequest): any => {
  try {
    return JSON.parse(body.toString() || '{}')
  } catch {
    return {}
  }
}
export const formIn = ({ body, query }: StandInRequest): URLSearchParams =>
  new URLSearchParams([...query, ...new URLSearchParams(body.toString())])

/** The parts of a multipart body, by name. */
export const partsIn = ({ headers, body }: StandInRequest): Map<string, Buffer> => {
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = new Map<string, Buffer>()
  if (boundary === '') return parts
  const mark = Buffer.from(`--${boundary}`)
  for (let at = body.indexOf(mark); at >= 0;) {
    const next = body.indexOf(mark, at + mark.length)
    if (next < 0) break
    const part = body.subarray(at + mark.length + 2, next - 2)
    const end = part.indexOf('\r\n\r\n')
    const name = /name="([^"]+)"/.exec(part.subarray(0, end).toString())?.[1]
    if (name !== undefined) parts.set(name, part.subarray(end + 4))
    at = next
  }
  return parts
}

/** A moment as Meta's Graph writes it: to the second, and without the colon in its zone. */
export const graphTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, '+0000')

type Used = { at: number; count: number }

/** Uses up some of a quota. */
export const useUp = (state: StandInState, now: number, { what, per }: Quota, account: string, count: number): void => {
  const used: Used[] = (thingsOf(state, 'used')[`${what} ${per === 'app' ? '' : account}`] ??= [])
  used.push({ at: now, count })
}

type Counting = Pick<Stage, 'state' | 'now' | 'account' | 'isUnlimited'>

/** Takes of a quota: null where that was still there, otherwise the moment from which there is some again. */
export const takeOf = (stage: Counting, quota: Quota, count = 1): number | null => {
  const { state, now, account, isUnlimited } = stage
  if (isUnlimited) return null
  const { what, per, within } = quota
  const used = usedOf(stage, quota)
  if (leftOf(stage, quota) < count)
    return 'minutes' in within ? used[0]!.at + within.minutes * 60_000 : now + 86_400_000
  thingsOf(state, 'used')[`${what} ${per === 'app' ? '' : account}`] = [...used, { at: now, count }]
  return null
}

export const leftOf = (stage: Counting, quota: Quota): number =>
  quota.most - (stage.isUnlimited ? 0 : usedOf(stage, quota).reduce((sum, { count }) => sum + count, 0))

const usedOf = ({ state, now, account }: Counting, { what, per, within }: Quota): Used[] =>
  ((thingsOf(state, 'used')[`${what} ${per === 'app' ? '' : account}`] ?? []) as Used[]).filter(({ at }) =>
    'minutes' in within
      ? at > now - within.minutes * 60_000
      : dayIn(new Date(at), within.dayIn) === dayIn(new Date(now), within.dayIn),
  )

/** Puts a post on the public timeline. */
export const publishTo = (state: StandInState, now: number, entry: Omit<TimelineEntry, 'at'>): void => {
  state.timeline.unshift({ ...entry, at: now })
  state.made++
}

/** Puts a comment below a post; null where there is no such post. */
export const commentOn = (
  state: StandInState,
  now: number,
  postId: string,
  { id = newId(), ...comment }: { id?: string; account: string; words: string },
): string | null => {
  const entry = state.timeline.find((one) => one.id === postId)
  if (!entry) return null
  ;(entry.comments ??= []).push({ id, ...comment, at: now })
  return id
}

/**
 * How a post does by now: another number for each, that grows by the hour, quickly at first, and is the same whenever it is asked
 * for the same moment. `null` of one that is not there.
 */
export const figuresOf = (state: StandInState, id: string, now: number) => {
  const entry = state.timeline.find((one) => one.id === id)
  if (!entry) return null
  const seed = Buffer.from(sha256(Buffer.from(id)), 'hex')
  const hours = Math.max(0, now - entry.at) / 3_600_000
  const most = 200 + seed.readUInt16BE(0) / 10
  // Half of all that see it do so on the first two days.
  const views = Math.floor(most * (1 - 2 ** (-hours / 48)))
  const share = (byte: number, of: number) => Math.floor((views * (1 + seed[byte]! / 128)) / of)
  return {
    views,
    likes: share(2, 25),
    comments: share(3, 200),
    shares: share(4, 150),
    watchMs: views * (3000 + seed[5]! * 40),
  }
}

/** A thing of this kind, made where it is not there. */
export const thingsOf = (state: StandInState, kind: string): Record<string, any> => (state.things[kind] ??= {})

/** An account's id as it stands in a path: here it is the name that somebody typed, of several words maybe. */
export const inPath = (account: string): string => new URL(`http://stand-in/${account}`).pathname.slice(1)

/** Opens an account and gives its tokens, as the token endpoint would. */
export const grantTo = (standIn: StandIn, state: StandInState, account: string, now: number) => {
  const refresh = standIn.tokens.refresh === 'none' ? null : newId(24)
  const grant: Grant = {
    account,
    access: newId(24),
    accessEndsAt: now + standIn.tokens.seconds * 1000,
    refresh,
    used: [],
  }
  state.grants.push(grant)
  return said(standIn, grant)
}

const said = (standIn: StandIn, { access, refresh, account }: Grant) => ({
  access_token: access,
  token_type: 'bearer',
  expires_in: standIn.tokens.seconds,
  user_id: account,
  open_id: account,
  ...(refresh === null ? {} : { refresh_token: refresh }),
})

const refused = { status: 400, json: { error: 'invalid_grant', error_description: 'The grant is not valid any more.' } }

/** The authorization code once, with its PKCE verifier; refresh tokens as the network gives them out. */
const token = (standIn: StandIn, request: StandInRequest, state: StandInState, now: number): StandInReply => {
  const form = formIn(request)
  if (/refresh/.test(form.get('grant_type') ?? '')) {
    const given = form.get('refresh_token') ?? form.get('access_token') ?? ''
    const burnt = state.grants.find(({ used }) => used.includes(given))
    // Who shows a used one may have stolen it: everything that came of it ends.
    if (burnt) state.grants = state.grants.filter((grant) => grant !== burnt)
    const grant = state.grants.find(({ refresh, access }) => given !== '' && (refresh === given || access === given))
    if (burnt || !grant || (standIn.tokens.refresh === 'none' && grant.access !== given)) return refused
    grant.access = newId(24)
    grant.accessEndsAt = now + standIn.tokens.seconds * 1000
    if (standIn.tokens.refresh === 'rotates') {
      grant.used.push(grant.refresh!)
      grant.refresh = newId(24)
    }
    return { json: said(standIn, grant) }
  }
  // A lasting token for a short one.
  const short = form.get('fb_exchange_token')
  if (short !== null) {
    const grant = state.grants.find(({ access }) => access === short)
    return grant ? { json: said(standIn, grant) } : refused
  }
  const code = state.codes[form.get('code') ?? '']
  delete state.codes[form.get('code') ?? '']
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const isRight =
    code &&
    code.endsAt > now &&
    code.redirectUri === form.get('redirect_uri') &&
    (code.challenge === '' || code.challenge === challenge)
  return isRight ? { json: grantTo(standIn, state, code.account, now) } : refused
}

/** RFC 7009: everything that this token's account has allowed the app ends. */
const revoke = (request: StandInRequest, state: StandInState): StandInReply => {
  const given = formIn(request).get('token') ?? ''
  const before = state.grants.length
  const account = state.grants.find(({ access, refresh }) => access === given || refresh === given)?.account
  state.grants = state.grants.filter((grant) => grant.account !== account)
  return state.grants.length < before ? { json: {} } : { status: 400, json: { error: 'invalid_token' } }
}

const ask = (standIn: StandIn, { query }: StandInRequest): StandInReply => ({
  html: page(
    standIn,
    `<h1>Allow Clear to Post on ${standIn.name}?</h1>
<p>This page stands in for ${standIn.name}. Be whoever you like; nothing leaves this machine.${standIn.hint === undefined ? '' : ` ${standIn.hint}`}</p>
<form method="post" action="?${escape(query.toString())}"><label>Account <input name="account" value="sam.sandbox" required></label>
<p><button name="decision" value="stop" formnovalidate>Cancel</button> <button name="decision" value="go">Allow</button></p></form>`,
  ),
})

const decide = (standIn: StandIn, request: StandInRequest, state: StandInState, now: number): StandInReply => {
  const { query } = request
  const form = new URLSearchParams(request.body.toString())
  const redirectUri = query.get('redirect_uri') ?? ''
  if (!URL.canParse(redirectUri)) return { status: 400, html: page(standIn, '<h1>No way back was named</h1>') }
  const back = new URL(redirectUri)
  back.searchParams.set('state', query.get('state') ?? '')
  const account = (form.get('account') ?? '').trim().slice(0, 60)
  if (form.get('decision') === 'go' && account !== '') {
    const code = newId(24)
    // TikTok and X spell the field alike; a network without PKCE sends none.
    state.codes[code] = { account, challenge: query.get('code_challenge') ?? '', redirectUri, endsAt: now + 60_000 }
    back.searchParams.set('code', code)
  } else back.searchParams.set('error', 'access_denied')
  return { status: 303, headers: { location: back.href }, html: '' }
}

const timelinePage = (standIn: StandIn, { timeline }: StandInState): string =>
  page(
    standIn,
    `<h1>${standIn.name}: what everybody sees</h1>
<p>${timeline.length === 0 ? 'Nothing was posted yet.' : `${timeline.length} posts, the newest first.`}</p>
<ul>${timeline
      .map(
        ({
          id,
          account,
          words,
          at,
          bytes,
          sha256: hash,
          comments = [],
        }) => `<li id="${escape(id)}"><strong>${escape(account)}</strong>
<p>${escape(words)}</p><small>${new Date(at).toISOString()} · ${bytes} bytes · sha-256 ${hash.slice(0, 12)}… · ${escape(id)}</small>${comments
          .map(
            (comment) =>
              `<blockquote><strong>${escape(comment.account)}</strong> ${escape(comment.words)}</blockquote>`,
          )
          .join('')}</li>`,
      )
      .join('\n')}</ul>
<h2>Read from</h2><ul>${standIn.sources.map((source) => `<li>${escape(source)}</li>`).join('')}</ul>`,
  )

const page = ({ name }: StandIn, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Stand-in for ${name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>:root{color-scheme:light dark}body{margin:0;padding:24px 16px;font:16px/1.5 system-ui,sans-serif;color:light-dark(#1c2733,#e8ecf4);background:light-dark(#fff7e0,#2a2208)}
main{max-width:640px;margin:0 auto}h1{font-size:22px}h2{font-size:16px}li{overflow-wrap:anywhere}.mark{display:inline-block;margin:0;padding:2px 10px;border-radius:4px;font-weight:700;color:#fff;background:#8a4b00}
input,button{min-height:44px;padding:0 12px;font:inherit}input{width:100%;box-sizing:border-box}</style></head>
<body><main><p class="mark">Sandbox</p>${body}</main></body></html>`

const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
