import { promises } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * Whether an address that somebody gave us may be called: https, a name or a public address, no password in it. The name
 * is judged again when it is resolved (`publicLookup`), because it may lead anywhere by then.
 */
export const isPublicAddress = (text: string): boolean => {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  // A dot at the end says that a name is whole: `localhost.` is this machine, too.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 ? host.includes('.') && !/\.(local|localhost|internal)$/.test(host) : isPublic(host)
}

/**
 * Resolves a name for `node:https`, and fails when any of its addresses is private: an answer that mixes both is a
 * trick. The connection goes to what was judged, so nothing can change in between. The name servers are asked directly and for
 * seconds: the system's own way holds one of a few threads as long as a slow name server likes, and every other name waits.
 */
export const publicLookup: LookupFunction = (host, options, done) => publicLookupAt(null)(host, options, done)

/** The same by these name servers; null: this machine's. */
export const publicLookupAt =
  (servers: readonly string[] | null): LookupFunction =>
  (host, options, done) => {
    void addressesOf(host, servers).then(
      (addresses) => {
        const [first] = addresses
        if (!first) return done(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '')
        const isSafe = addresses.every(({ address }) => isPublic(address))
        if (!isSafe) return done(new PrivateAddress(`${host} leads to an address that is not public`), '')
        if (options.all) return done(null, addresses)
        done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }

/** Empty where the name is there and leads to none. */
const addressesOf = async (
  host: string,
  servers: readonly string[] | null,
): Promise<{ address: string; family: number }[]> => {
  // A name of this machine is known to no name server.
  if (/(^|\.)localhost\.?$/.test(host)) return [{ address: '127.0.0.1', family: 4 }]
  // Made anew each time: it reads once which name servers there are.
  const resolver = new promises.Resolver({ timeout: 3000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  const of = (found: typeof four, family: number) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
  return [...of(four, 4), ...of(six, 6)]
}

export class PrivateAddress extends Error {}

/** False for this machine, local networks, carriers' and documentation's ranges, and everything that is for no single host. */
const isPublic = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !reserved.check(address, 'ipv4')
  // Of IPv6 only the global range is given out; within it, some wrap an IPv4 address or are for documents.
  return family === 6 && global6.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

const reserved = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // What Azure gives its machines to talk to their host by: a public number that only they reach.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  reserved.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  reserved.addSubnet(net, bits, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
