import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
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
