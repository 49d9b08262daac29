import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { isFromHere, isOurPage } from '../../kernel/network.ts'
import { standIns } from './all.ts'
import { answerOf, emptyState, grantTo, publishTo, useUp, type StandInReply, type StandInState } from './stand-in.ts'

/**
 * `node server/src/stand-ins/networks/program.ts FOLDER [PORT]`: every network's stand-in below its name, on this machine only,
 * a program of its own that outlives ours. What was posted lies in FOLDER. It says `listening on ORIGIN`, and ends with its input
 * where that is a pipe.
 *
 * `POST /control` moves its clock and makes it fail, for tests: see `Control`. It answers programs of this machine and its own
 * pages: a page of another site that a developer has open changes nothing, by whatever name it reaches here.
 */
export type Fault = {
  network: string
  /** Which requests: a method, and a pattern of the path with its query. */
  method: string
  path: string
  /** So many of them are let through before. */
  skip: number
  /**
   * `lost-before`: the line breaks before anything is done; `lost-after`, `error-after`: it is done, and the line breaks or 503
   * is answered; `silent-after`: done, and never answered; `error-before`: 503 and nothing done; `cut`: a share of the body
   * came, which of a file is kept, and the line breaks; `answer-cut`: it is done, and the line breaks within the answer.
   */
  kind: 'lost-before' | 'lost-after' | 'error-before' | 'error-after' | 'silent-after' | 'cut' | 'answer-cut'
  /** Which share of the body or of the answer comes before the line breaks: half where none is said. */
  share?: number
}
export type Control = {
  /** null: the machine's own. */
  now?: number | null
  faults?: Fault[]
  /** Access tokens of this network end now. */
  endTokens?: string
  /** Videos are worked on until this moment. */
  slowUntil?: number
  /** Parts of files may be as small as this, and are as large where the network chooses. */
  partBytes?: number
  /** No quota is counted from now on. */
  isUnlimited?: boolean
  /** So much of this quota is used up, by this account where each has its own. */
  use?: { network: string; what: string; account: string; count: number }
  /** This network forgets everything: its accounts, and what was posted. */
  forget?: string
  /** Opens an account and answers its tokens. */
  grant?: { network: string; account: string }
  /** Answers the accounts of this network that somebody is allowed to use now. */
  grants?: string
  /** Answers the timeline of this network, with how many posts were ever made, and what waits in accounts' inboxes. */
  timeline?: string
  /** The owner of an inbox posts what waits there, with these words. */
  postDraft?: { network: string; id: string; words: string }
}

const [folder, port = '0'] = process.argv.slice(2)
if (!folder) throw new Error('Say where posts are kept: node server/src/stand-ins/networks/program.ts FOLDER [PORT]')
await mkdir(folder, { recursive: true })

const states = new Map<string, StandInState>()
for (const { network } of standIns)
  states.set(
    network,
    await readFile(join(folder, `${network}.json`), 'utf8').then(
      (text) => JSON.parse(text) as StandInState,
      () => emptyState(),
    ),
  )
let clock: number | null = null
let slowUntil = 0
let partBytes: number | undefined
let isUnlimited = false
let faults: Fault[] = []
/** Where patterns run: only there can they be stopped. */
const apart = createContext({})

// Written soon after each change, one after the other: of a thousand requests at once one file is written, and what takes long
// to write is written less often.
const waiting = new Set<string>()
let written = Promise.resolve()
let lastWriteMs = 0
const save = (network: string) => {
  if (waiting.size === 0) setTimeout(() => void writeAll(), Math.max(50, 10 * lastWriteMs))
  waiting.add(network)
}
const writeAll = (): Promise<void> =>
  (written = written.then(async () => {
    const networks = [...waiting]
    waiting.clear()
    const began = performance.now()
    for (const network of networks) {
      const path = join(folder, `${network}.json`)
      await writeFile(`${path}.new`, JSON.stringify(states.get(network)))
      await rename(`${path}.new`, path)
    }
    lastWriteMs = performance.now() - began
  }))

const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))

const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = Buffer.concat(parts)
  if (!mayAsk(request)) return send(response, { status: 404, json: { error: { message: 'Not found' } } })
  const url = new URL(request.url ?? '/', 'http://stand-in')
  if (url.pathname === '/control' && request.method === 'POST')
    return send(response, { json: control(JSON.parse(body.toString())) })
  const [, network = ''] = url.pathname.split('/')
  const standIn = standIns.find((one) => one.network === network)
  if (!standIn)
    return send(response, {
      html: `<!doctype html><title>Stand-ins</title>${standIns.map((one) => `<p><a href="/${one.network}/">${one.name}</a></p>`).join('')}`,
    })
  const path = url.pathname.slice(network.length + 1)
  const fault = faultFor(network, request.method ?? 'GET', path + url.search)
  const { kind: trouble, share = 0.5 } = fault ?? {}
  // Of a file a network keeps what came; a form or JSON that breaks off is read by none.
  const isBroken = trouble === 'cut' && /json|form/.test(request.headers['content-type'] ?? '')
  if (trouble === 'lost-before' || isBroken) return void response.destroy()
  if (trouble === 'error-before') return send(response, { status: 503, json: { error: { message: 'Later' } } })
  const state = states.get(network)!
  const reply = answerOf(
    standIn,
    {
      method: request.method ?? 'GET',
      path,
      query: url.searchParams,
      headers: request.headers as Record<string, string | undefined>,
      body: trouble === 'cut' ? body.subarray(0, Math.floor(body.length * share)) : body,
    },
    {
      state,
      now: clock ?? Date.now(),
      base: `http://${request.headers.host}/${network}`,
      slowUntil,
      partBytes,
      isUnlimited,
    },
  )
  if (reply.fetched) reply.fetched.put(await fetched(reply.fetched.address))
  if (request.method !== 'GET') save(network)
  if (trouble === 'lost-after' || trouble === 'cut') return void response.destroy()
  if (trouble === 'silent-after') return
  if (trouble === 'answer-cut') return breakOff(response, reply, share)
  return send(response, trouble === 'error-after' ? { status: 503, json: { error: { message: 'Later' } } } : reply)
}

const mayAsk = (request: IncomingMessage): boolean =>
  isFromHere({ headers: request.headers, raw: request, socket: request.socket }) &&
  (['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? 'GET') || isOurPage(request, `http://${request.headers.host}`))

const fetched = async (address: string): Promise<Buffer | null> => {
  const answer = await fetch(address, { signal: AbortSignal.timeout(30_000) }).catch(() => null)
  return answer?.ok ? Buffer.from(await answer.arrayBuffer()) : null
}

const faultFor = (network: string, method: string, path: string): Fault | null => {
  const fault = faults.find((one) => one.network === network && one.method === method && matches(one.path, path))
  if (!fault) return null
  if (fault.skip-- > 0) return null
  faults = faults.filter((one) => one !== fault)
  return fault
}

/** A pattern that takes long over a path is none of it: everybody else waits for this one thread. */
const matches = (pattern: string, path: string): boolean => {
  try {
    return runInContext(`new RegExp(${JSON.stringify(pattern)}).test(${JSON.stringify(path)})`, apart, { timeout: 100 })
  } catch {
    return false
  }
}

const control = (asked: Control): unknown => {
  if (asked.now !== undefined) clock = asked.now
  if (asked.faults) faults = asked.faults
  if (asked.slowUntil !== undefined) slowUntil = asked.slowUntil
  if (asked.partBytes !== undefined) partBytes = asked.partBytes
  if (asked.isUnlimited !== undefined) isUnlimited = asked.isUnlimited
  if (asked.forget !== undefined) states.set(asked.forget, emptyState())
  const at = clock ?? Date.now()
  if (asked.use) {
    const { network, what, account, count } = asked.use
    const quota = standIns.find((one) => one.network === network)!.quotas.find((one) => one.what === what)!
    useUp(states.get(network)!, at, quota, account, count)
  }
  if (asked.endTokens) for (const grant of states.get(asked.endTokens)!.grants) grant.accessEndsAt = at
  if (asked.grant)
    return grantTo(
      standIns.find(({ network }) => network === asked.grant!.network)!,
      states.get(asked.grant.network)!,
      asked.grant.account,
      at,
    )
  if (asked.grants) return { accounts: states.get(asked.grants)!.grants.map(({ account }) => account) }
  const of = asked.timeline === undefined ? null : states.get(asked.timeline)!
  if (asked.postDraft) {
    const { network, id, words } = asked.postDraft
    const state = states.get(network)!
    const { account, bytes, sha256 } = state.things['drafts']![id]
    publishTo(state, at, { id, account, words, bytes, sha256 })
  }
  return of ? { timeline: of.timeline, made: of.made, drafts: of.things['drafts'] ?? {} } : {}
}

const send = (response: ServerResponse, reply: StandInReply): void => {
  const { status = 200 } = reply
  response.writeHead(status, headersOf(reply))
  response.end(status === 204 ? undefined : bodyOf(reply))
}
const headersOf = ({ headers, json }: StandInReply): Record<string, string> => ({
  'content-type': json === undefined ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  ...headers,
})
const bodyOf = ({ json, html, bytes }: StandInReply): Buffer =>
  bytes ?? Buffer.from(json === undefined ? (html ?? '') : JSON.stringify(json))

/** Says how long the answer is, sends less of it, and hangs up. */
const breakOff = (response: ServerResponse, reply: StandInReply, share: number): void => {
  const body = bodyOf(reply)
  // Of an answer without words nothing but its head could be heard.
  if (body.length === 0) return void response.destroy()
  response.writeHead(reply.status ?? 200, { ...headersOf(reply), 'content-length': String(body.length) })
  response.write(body.subarray(0, Math.floor(body.length * share)), () => response.destroy())
}

server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`)
})
// Whoever started it holds its input open as long as it is wanted.
if (!process.stdin.isTTY) process.stdin.on('end', () => void writeAll().then(() => process.exit(0))).resume()
