import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOurPage } from '../kernel/network.ts'
import { idleDays } from './families.ts'

/** Where a secret of 256 bits travels between this browser and us. `publicUrl` is the origin that people type. */
export type SecretCookie = {
  /** The secret; null when there is none, or when another site sent the request. */
  read: (request: FastifyRequest) => string | null
  write: (reply: FastifyReply, secret: string) => void
  clear: (reply: FastifyReply) => void
}

/** Carries the refresh token. */
export const refreshCookie = (publicUrl: string): SecretCookie => secretCookie(publicUrl, 'refresh', idleDays * 86_400)

/** Tells which browser set out to a provider, so that nobody comes back in another one's place. */
export const oauthCookie = (publicUrl: string): SecretCookie => secretCookie(publicUrl, 'oauth', 3600)

const secretCookie = (publicUrl: string, of: string, maxAge: number): SecretCookie => {
  const secure = publicUrl.startsWith('https:')
  // Browsers take `__Host-` with Secure only, and Safari takes Secure on https only: plain http has the plain name.
  const name = secure ? `__Host-ctp_${of}` : `ctp_${of}`
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  return {
    read: (request) => {
      const value = request.cookies[name]
      // SameSite keeps other sites out but lets a neighbour under the same domain in.
      return value !== undefined && /^[\w-]{43}$/.test(value) && isOurPage(request, publicUrl) ? value : null
    },
    write: (reply, secret) => void reply.setCookie(name, secret, { ...attributes, maxAge }),
    clear: (reply) => void reply.clearCookie(name, attributes),
  }
}
