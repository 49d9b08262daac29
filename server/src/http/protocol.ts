import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { kinds, refusal, type Failure, type Refusal } from '@clear-to-post/contract/errors'

/** What cannot even be routed, such as a percent sign that starts nothing: the framework asks here for the answer. */
export const answerUnroutable = (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
  const { status, body } = failure(refusal('request.invalid', 'This address cannot be read.'), request.id)
  void reply
    .code(status)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', connection: 'close' })
    .send(body)
}

/** What is not even HTTP: answered in the contract's words while the line still takes any, then hung up. */
export const answerNonsense = (error: Error & { code?: string }, socket: Socket): void => {
  // An answer that was begun on this line must not get a second one behind it.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) return void socket.destroy()
  const requestId = randomUUID()
  const { status, body } = failure(refusalOfLine(error.code), requestId)
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} ${body.kind}\r\nx-request-id: ${requestId}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}

/** Whoever expects something of us that nobody knows is answered as if they had not. */
export const ignoreExpectations = (app: FastifyInstance): void => {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

/**
 * Told to stop, the server still answers what comes on open lines, and says with each answer that the line ends;
 * lines that say nothing are ended at once. Nobody's request is cut off, and nobody's habit keeps the server up.
 */
export const closeGently = (app: FastifyInstance): void => {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
    app.server.once('close', () => clearInterval(sweep))
    sweep.unref()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}

const refusalOfLine = (code: string | undefined): Refusal => {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal('request.too-large', 'The headers are too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('request.invalid', 'The request did not arrive in time.')
  return refusal('request.invalid', 'This is no HTTP request.')
}

const failure = ({ message, kind, code }: Refusal, requestId: string): { status: number; body: Failure } => ({
  status: kinds[kind],
  body: { message, kind, code, requestId },
})
