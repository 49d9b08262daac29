import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'
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
  Object.keys(headers).some(isOfProxies)

/**
 * Headers that proxies, tunnels and content networks add to what they pass on; with `*`, every name that begins so. Any one
 * of them says that a request is not from this machine, whatever stands in it.
 */
export const proxyHeaders: readonly string[] = [
  'forwarded',
  'forwarded-*',
  'x-forwarded',
  'x-forwarded-*',
  'via',
  'x-via',
  'x-bluecoat-via',
  'max-forwards',
  'client-ip',
  'x-client-ip',
  'x-real-ip',
  'x-real-port',
  'x-remote-ip',
  'x-remote-addr',
  'x-originating-ip',
  'x-true-client-ip',
  'true-client-ip',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  'x-proxyuser-ip',
  'x-cluster-*',
  'x-original-*',
  'x-scheme',
  'x-url-scheme',
  'front-end-https',
  'x-request-start',
  'x-queue-start',
  'x-envoy-*',
  'x-varnish',
  'surrogate-capability',
  'cdn-*',
  'cf-*',
  'cloudfront-*',
  'x-amz-cf-id',
  'x-amzn-*',
  'x-azure-*',
  'x-arr-*',
  'x-appengine-*',
  'x-cloud-trace-context',
  'fastly-*',
  'akamai-*',
  'x-akamai-*',
  'incap-*',
  'x-sucuri-*',
  'x-vercel-*',
  'x-nf-*',
  'fly-*',
  'ngrok-*',
  'tailscale-*',
]
const isOfProxies = (name: string): boolean =>
  proxyHeaders.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))

/**
 * Did a page of ours send this? A browser says whose page it was; programs that say nothing are no browser, and carry no
 * stranger's cookie. `publicUrl` is the origin that people type.
 */
export const isOurPage = ({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined || headers.origin === publicUrl || isSameHost(headers.origin, headers.host)
}

const isSameHost = (origin: string, host: string | undefined): boolean => URL.parse(origin)?.host === host

/** What keeps a service whose PUBLIC_URL is local safe, in words for the operator. */
export const localWords =
  'PUBLIC_URL is this machine’s own address, so the stand-ins for sign-in and payment let anybody in who reaches it. Before a proxy, a tunnel or another name leads here, set PUBLIC_URL to what people type.'

/**
 * For a service whose PUBLIC_URL is this machine's own: the first request that came through a proxy or under another name
 * is warned of, with the remedy, and to every such request the stand-ins for sign-in and payment do not exist.
 */
export const warnOfProxies = (app: FastifyInstance, { publicUrl }: { publicUrl: string }): void => {
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
    if (isStandIn(request)) reply.callNotFound()
    else done()
  })
}

/** For the pages of other sites, what posts to the stand-ins for sign-in and payment does not exist. */
export const closeStandIns = (app: FastifyInstance, { publicUrl }: { publicUrl: string }): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const changes = !['GET', 'HEAD', 'OPTIONS'].includes(request.method)
    if (changes && isStandIn(request) && !isOurPage(request, publicUrl)) reply.callNotFound()
    else done()
  })
}

// By the route and not by the address, which can be written in many ways.
const isStandIn = ({ routeOptions }: FastifyRequest): boolean =>
  /^\/(dev\/sign-in|sandbox)\//.test(routeOptions.url ?? '')

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

/**
 * The same as Fastify reads it: for each hop, counted from our own socket, whether it is believed. Of an address the port that
 * some proxies write behind it says nothing.
 */
export const trustedProxies = ({
  trustProxy,
}: {
  trustProxy: number | string[] | false
}): false | ((address: string, hop: number) => boolean) => {
  if (trustProxy === false) return false
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  const isNamed = compile(trustProxy)
  return (address, hop) => isNamed(withoutPort(address), hop)
}

// A net as wide as half of all addresses is a slip of the pen, not a proxy.
const isPlace = (place: string): boolean => {
  const [address = '', bits] = place.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(place)) return true
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!
  return longest > 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 8 && Number(bits) <= longest))
}

/** Does a server that listens there (`HOST`) hear this machine alone? */
export const isLoopback = (host: string): boolean => isLocalName(host) || host === '::1'

/** Does this name lead to the very machine that says it? As in an address: `localhost`, `127.0.0.1`, `[::1]`. */
export const isLocalName = (hostname: string): boolean =>
  /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/i.test(hostname)

/**
 * The network an address is counted by: whoever holds one IPv6 address holds its whole /64, that is its first four groups. The
 * port that some proxies write behind it is another one for each connection. What has colons and is no address is one network
 * without a name; a network, and whoever is counted like one by an id, stays as it is.
 */
export const networkOf = (given: string): string => {
  const ip = withoutPort(given)
  // How an IPv4 address looks to a server that listens to both kinds.
  const old = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (old !== undefined || !ip.includes(':')) return old ?? ip
  if (isIP(ip) === 0) return /^([\da-f]{4}:){3}[\da-f]{4}$/i.test(ip) ? ip : ''
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

const withoutPort = (given: string): string =>
  /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(given)?.slice(1).find(Boolean) ?? given

/** A net that an address is counted by, and how often it may take what one network may. */
export type Net = { net: string; times: number }

/**
 * The nets that an address is counted by, the narrowest first, for who holds many networks is one holder: an IPv6 /64, the
 * /56 of a home and the /48 of a company or a rented server; an IPv4 address and its /24, which at a phone carrier is
 * thousands of people.
 */
export const netsOf = (ip: string): Net[] => {
  const network = networkOf(ip)
  const own = { net: network, times: 1 }
  if (isIP(network) === 4) return [own, { net: network.replace(/\d+$/, '0/24'), times: 4 }]
  if (!network.includes(':')) return [own]
  return [own, { net: `${network.slice(0, 17)}/56`, times: 2 }, { net: `${network.slice(0, 14)}/48`, times: 4 }]
}

/** The widest net that one holder may well have, by one of their networks (`networkOf`): a /24 or a /48. */
export const holderOf = (network: string): string => netsOf(network).at(-1)!.net

/**
 * How much a net may take where one network may take `most`, and everybody together `total`: a wider net a multiple, but
 * no more than a quarter of all, or what one network may.
 */
export const boundOf = ({ times }: Net, most: number, total = Infinity): number =>
  Math.max(most, Math.min(most * times, Math.floor(total / 4)))
