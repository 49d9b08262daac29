import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Packs texts that are answered whole before any of it is sent: what is packed as it is read takes four times the text's
 * own memory until its reader has it.
 */
export const packTexts = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    const encoding = encodingFor(request)
    const isPacked = encoding === 'identity' || reply.hasHeader('content-encoding')
    if (isPacked || typeof payload !== 'string' || Buffer.byteLength(payload) < leastPacked) return done(null, payload)
    reply.headers({ 'content-encoding': encoding, vary: 'accept-encoding' }).removeHeader('content-length')
    if (encoding === 'gzip') gzip(payload, done)
    else brotliCompress(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done)
  })
}

/** Bytes of what is worth packing. */
export const leastPacked = 2048

/** What a reader takes, as @fastify/compress understands them too: it leaves alone what is packed here. */
export const encodingFor = ({ headers }: Pick<FastifyRequest, 'headers'>): 'br' | 'gzip' | 'identity' => {
  const named = String(headers['accept-encoding'] ?? '').toLowerCase()
  return encodings.negotiate(named.replaceAll(/\*|x-gzip/g, 'gzip')) ?? 'identity'
}
const encodings = new Negotiator({ supportedValues: ['br', 'gzip'] })

/** A text that is compressed once for as long as it says the same, however many ask for it. */
export class Packed {
  readonly #type: string
  #text = ''
  #bodies: Promise<Record<'br' | 'gzip' | 'identity', Buffer>> | undefined

  /** `type` is the answer's content type. */
  constructor(type: string) {
    this.#type = type
  }

  async send(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
    if (text !== this.#text || !this.#bodies) {
      this.#text = text
      this.#bodies = pack(text)
    }
    const bodies = await this.#bodies
    const encoding = encodingFor(request)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    // What nobody keeps says so already.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
    return reply.header('vary', 'accept-encoding').type(this.#type).send(bodies[encoding])
  }
}

const pack = async (text: string) => {
  const identity = Buffer.from(text)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(identity, { level: 9 }),
  ])
  return { identity, br, gzip: gz }
}
