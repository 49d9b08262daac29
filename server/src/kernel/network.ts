import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Was this asked by a program on this very machine, for itself? The connection comes from here, the address that was typed
 * is local (another site's name that leads here, as in DNS rebinding, is not), and nothing says that a proxy passed it on:
 * no header that proxies add, and HTTP/1.1, where some proxies speak 1.0. A proxy that rewrites Host and says nothing looks
 * just the same, which is why pages for the operator's eyes do not exist at all where PUBLIC_URL is another machine's, and
 * why the outbox asks for a key.
 */
export const isFromHere = ({ headers, raw, socket }: Pick<FastifyRequest, 'headers' | 'raw' | 'socket'>): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '') && !isPassedOn({ headers, raw })

/** Does a request say of itself that a proxy passed it on, or that another name than this machine's own was typed? */
const isPassedOn = ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean =>
  raw.httpVersion === '1.0' ||
  !isLocalName((headers.host ?? '').replace(/:\d+$/, '')) ||
  Object.keys(headers).some((name) => ofProxies.test(name))

const ofProxies =
  /^(forwarded|via|client-ip|cdn-loop|true-client-ip|tailscale-.+|ngrok-.+|fly-.+|cf-.+|x-(forwarded|original|envoy|amzn|azure|arr|cluster)(-.+)?|x-real-ip|x-client-ip|x-proxyuser-ip|x-cloud-trace-context|x-request-start|x-scheme)$/

/** What keeps a service whose PUBLIC_URL is local safe, in words for the operator. */
export const localWords =
  'PUBLIC_URL is this machine’s own address, so the stand-ins for sign-in and payment let anybody in who reaches it. Before a proxy, a tunnel or another name leads here, set PUBLIC_URL to what people type.'

/**
 * For a service whose PUBLIC_URL is this machine's own: the first request that came through a proxy or under another name
 * is warned of, with the remedy, and to every such request the stand-ins for sign-in and payment do not exist.
 */
export const heedProxies = (app: FastifyInstance, { publicUrl }: { publicUrl: string }): void => {
  let isSaid = false
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPassedOn(request)) return done()
    if (!isSaid) {
      isSaid = true
      request.log.warn(
        { host: request.headers.host, publicUrl },
        `a request came through a proxy or under another name. ${localWords}`,
      )
    }
    // By the route and not by the address, which can be written in many ways.
    if (/^\/(dev\/sign-in|sandbox)\//.test(request.routeOptions.url ?? '')) reply.callNotFound()
    else done()
  })
}

/**
 * TRUST_PROXY as the operator writes it: how many proxies stand in front (1 to 10), or their addresses, parted by commas
 * (`10.0.0.5`, `10.0.0.0/8`, `loopback`). Only what these add to X-Forwarded-For is believed; the caller is the last
 * address that none of them has. undefined for anything else, `yes` included, which would believe what the caller writes.
 */
export const parseTrustProxy = (text: string): number | string[] | undefined => {
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= 10 ? Number(text) : undefined
  const places = text.split(',').map((place) => place.trim())
  return places.every(isPlace) ? places : undefined
}

/** The same as Fastify reads it: for each hop, counted from our own socket, whether it is believed. */
export const trustedProxies = ({
  trustProxy,
}: {
  trustProxy: number | string[] | false
}): string[] | false | ((address: string, hop: number) => boolean) =>
  typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy

// A net as wide as half of all addresses is a slip of the pen, not a proxy.
const isPlace = (place: string): boolean => {
  const [address = '', bits] = place.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(place)) return true
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!
  return longest > 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 8 && Number(bits) <= longest))
}

/** Does this name lead to the very machine that says it? As in an address: `localhost`, `127.0.0.1`, `[::1]`. */
export const isLocalName = (hostname: string): boolean =>
  /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i.test(hostname)

/** The network an address is counted by: whoever holds one IPv6 address holds its whole /64, that is its first four groups. */
export const networkOf = (ip: string): string => {
  // How an IPv4 address looks to a server that listens to both kinds.
  const old = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (old !== undefined || !ip.includes(':')) return old ?? ip
  // What :: leaves out is written as zeros.
  const [before = '', after] = ip.split('::').map((part) => part.split(':').filter(Boolean))
  const groups =
    after === undefined
      ? [...before]
      : [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => group.padStart(4, '0'))
    .join(':')
}
