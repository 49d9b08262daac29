import type { FastifyReply, FastifyRequest } from 'fastify'
import { idleDays } from './families.ts'

/** Where the refresh token travels. `publicUrl` is the origin that people type. */
export type RefreshCookie = {
  /** The token; null when there is none, or when another site sent the request. */
  read: (request: FastifyRequest) => string | null
  write: (reply: FastifyReply, token: string) => void
  clear: (reply: FastifyReply) => void
}

export const refreshCookie = (publicUrl: string): RefreshCookie => {
  const secure = publicUrl.startsWith('https:')
  // Browsers take `__Host-` with Secure only, and Safari takes Secure on https only: plain http has the plain name.
  const name = secure ? '__Host-ctp_refresh' : 'ctp_refresh'
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  return {
    read: (request) => {
      const value = request.cookies[name]
      return value !== undefined && /^[\w-]{43}$/.test(value) && isOurPage(request, publicUrl) ? value : null
    },
    write: (reply, token) => void reply.setCookie(name, token, { ...attributes, maxAge: idleDays * 86_400 }),
    clear: (reply) => void reply.clearCookie(name, attributes),
  }
}

// SameSite keeps other sites out but lets a neighbour under the same domain in; the browser says whose page it was.
// Tools that send neither header carry no stranger's cookie.
const isOurPage = ({ headers }: FastifyRequest, publicUrl: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined || headers.origin === publicUrl || sameHost(headers.origin, headers.host)
}

const sameHost = (origin: string, host: string | undefined): boolean => URL.parse(origin)?.host === host
