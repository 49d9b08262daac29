import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { kinds, refusal, type Refusal } from '@clear-to-post/contract/errors'
import type { Failure } from '@clear-to-post/contract/failure'
import { contentPolicy } from '../kernel/headers.ts'
import { isPerson } from './pages.ts'
import { plainPage, plainStyle } from '../kernel/plain-page.ts'

/** What cannot even be routed, such as a percent sign that starts nothing: the framework asks here for the answer. */
export const answerUnroutable = (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
  const { status, body } = failure(refusal('request.invalid', 'This address cannot be read.'), request.id)
  void reply
    .code(status)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', connection: 'close' })
    .headers(isPerson(request) ? pageHeaders : {})
    .send(isPerson(request) ? damagedPage : body)
}

/** Throws request.invalid unless a request names its host exactly once (RFC 9112, 3.2); HTTP/1.0 may leave it out. */
export const requireOneHost = ({ raw: { rawHeaders, httpVersion } }: FastifyRequest): void => {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts === 0 && httpVersion === '1.1') throw refusal('request.invalid', 'The Host header is missing.')
  if (hosts > 1) throw refusal('request.invalid', 'There is more than one Host header.')
}

/** Throws request.wrong-type where a body comes packed: nobody unpacks it, so it would be read as what it is not. */
export const requireUnpacked = ({ headers }: FastifyRequest): void => {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== 'identity')
    throw refusal('request.wrong-type', 'A body is sent as it is here. Send it without Content-Encoding.')
}

/** A request’s address stays what it was, for a line that is reset has none: false when it was gone before. */
export const keepAddress = (request: FastifyRequest): boolean => {
  const { ip } = request
  if (ip === undefined) return false
  Object.defineProperty(request, 'ip', { value: ip })
  return true
}

/** A person whose page cannot be had right now gets one that says so (503). */
export const answerPersonLater = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .code(503)
    .headers(pageHeaders)
    .send(plainPage({ title: 'One moment, please', text, way: { to: '/', label: 'To the home page' } }))

/** What is not even HTTP: answered in the contract's words while the line still takes any, then hung up. */
export const answerNonsense = (error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void => {
  // An answer that was begun on this line must not get a second one behind it.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) return void socket.destroy()
  const requestId = randomUUID()
  const { status, body } = failure(refusalOfLine(error.code), requestId)
  const isForPerson = error.code === 'HPE_HEADER_OVERFLOW' && asksForPage(error.rawPacket)
  const text = isForPerson ? damagedPage : JSON.stringify(body)
  const headers = {
    'x-request-id': requestId,
    ...(isForPerson ? pageHeaders : { 'content-type': 'application/json; charset=utf-8' }),
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${body.kind}\r\n${lines.join('')}\r\n${text}`)
}

/** Whoever expects something of us that nobody knows is answered as if they had not. */
export const ignoreExpectations = (app: FastifyInstance): void => {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

/**
 * Told to stop, the server goes on for a moment: it takes new lines and reads what comes on open ones, so that whatever
 * had reached the machine is answered, and says with each answer that the line ends. Then it takes no more lines and ends
 * those that say nothing. No request that has come whole is cut off before its answer, which has some seconds from its
 * beginning; but whoever does not send on, or does not read on (a paused video), is waited for only a little longer: both
 * resume where they were.
 */
export const closeGently = (app: FastifyInstance): void => {
  let closing = false
  let heard = 0
  const lines = new Set<Socket>()
  const latest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()
  app.server.on('connection', (line: Socket) => {
    heard++
    lines.add(line)
    line.once('close', () => lines.delete(line))
  })
  app.server.on('request', (request, response) => {
    heard++
    latest.set(request.socket, { request, response })
  })
  const begunAt = new WeakMap<ServerResponse, number>()
  const isWorkedFor = (line: Socket): boolean => {
    const last = latest.get(line)
    if (last === undefined || !last.request.complete) return false
    // An answer that has just begun goes on: on a slow machine its end comes later than its beginning.
    return !last.response.headersSent || performance.now() - (begunAt.get(last.response) ?? 0) < patienceMs
  }
  // Each turn of the event loop takes in some of what the kernel holds, however late the machine lets us run.
  const takeIn = async () => {
    for (let turn = 0, quiet = 0; quiet < quietTurns && turn < mostTurns; turn++) {
      const before = heard
      await nextTurn()
      quiet = heard === before ? quiet + 1 : 0
    }
  }
  app.addHook('preClose', async () => {
    closing = true
    if (app.server.listening) {
      await takeIn()
      if (lines.size > 0) await sleep(momentMs)
      await takeIn()
    }
    const impatientAt = performance.now() + patienceMs
    const sweep = setInterval(() => {
      app.server.closeIdleConnections()
      if (performance.now() > impatientAt) for (const line of lines) if (!isWorkedFor(line)) line.destroy()
    }, 100)
    app.server.once('close', () => clearInterval(sweep))
    sweep.unref()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    begunAt.set(reply.raw, performance.now())
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** How long a stopping server goes on while somebody has a line to it: what is on its way arrives. */
const momentMs = 500
/** Turns of the event loop in which nothing came: then the kernel holds nothing more for us. A new line takes two. */
const quietTurns = 4
/** Turns after which even a server that is never left alone goes on to close. */
const mostTurns = 200
/** How long a stopping server waits for who does not go on, after that moment. */
const patienceMs = 3000

// As much as came in one piece is all there is to tell a person by.
const asksForPage = (raw: unknown): boolean => {
  const text = Buffer.isBuffer(raw) ? raw.toString('latin1') : ''
  const [, url] = /^GET (\/\S*)/.exec(text) ?? []
  const [, accept] = /\r\naccept: *(.*)/i.exec(text) ?? []
  return url !== undefined && isPerson({ method: 'GET', url, headers: { accept } })
}

const damagedPage = plainPage({
  title: 'This link does not work',
  text: 'Its address cannot be read: it may have been damaged on its way. Copy the whole address from where you found it, or go on from the home page.',
  way: { to: '/', label: 'To the home page' },
})
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': contentPolicy({ styles: [plainStyle] }),
  'x-content-type-options': 'nosniff',
}

const refusalOfLine = (code: string | undefined): Refusal => {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal('request.too-large', 'The headers are too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('request.too-slow')
  return refusal('request.invalid', 'This is no HTTP request.')
}

const failure = ({ message, kind, code }: Refusal, requestId: string): { status: number; body: Failure } => ({
  status: kinds[kind],
  body: { message, kind, code, requestId },
})
