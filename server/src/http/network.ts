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
