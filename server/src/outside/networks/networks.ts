import { networkNames, type Network } from '@clear-to-post/domain/networks'
import type { Config } from '../../kernel/config.ts'
import { openSeal, type Seal } from '../sealed.ts'
import { openAsk, type Adapter, type AppKeys, type Ask } from './adapter.ts'
import { bluesky } from './bluesky.ts'
import { facebook } from './facebook.ts'
import { instagram } from './instagram.ts'
import { linkedin } from './linkedin.ts'
import { threads } from './threads.ts'
import { tiktok } from './tiktok.ts'
import { x } from './x.ts'
import { youtube } from './youtube.ts'

const adapters: Readonly<Record<Network, Adapter>> = {
  youtube,
  bluesky,
  instagram,
  facebook,
  linkedin,
  tiktok,
  x,
  threads,
}

/** One network as this server reaches it. */
export type OpenNetwork = { adapter: Adapter; keys: AppKeys }
export type Networks = {
  seal: Seal
  ask: Ask
  /** Our own origin, from which networks fetch files. */
  publicUrl: string
  /** null where neither keys nor a stand-in are configured. */
  of: (network: Network) => OpenNetwork | null
  offered: readonly Network[]
}

let opened: Networks | undefined

/** Opens the networks for this process: rooms and jobs find them by `networks()`. */
export const openNetworks = async (config: NetworksConfig, ask: Ask = openAsk()): Promise<Networks> => {
  const found = new Map<Network, OpenNetwork>()
  for (const name of networkNames) {
    const adapter = adapters[name]
    const keys = keysOf(adapter, config)
    if (keys) found.set(name, { adapter, keys })
  }
  opened = {
    seal: await openSeal(config.dataDir, config.connectionKeys),
    ask,
    publicUrl: config.publicUrl,
    of: (network) => found.get(network) ?? null,
    offered: networkNames.filter((name) => found.has(name)),
  }
  return opened
}

export const networks = (): Networks => {
  if (!opened) throw new Error('openNetworks() was not called')
  return opened
}

/** Whether a post to this network brings its file at its moment, and not before. */
export const publishBringsFile = ({ of }: Pick<Networks, 'of'>, network: Network): boolean =>
  of(network)?.adapter.publishBringsFile ?? false

/**
 * Whether the network itself says whose account is connected: a way through the browser leads there, but a password may have been
 * typed in for a server that somebody named, which says whatever it likes.
 */
export const provesAccounts = (open: Pick<OpenNetwork, 'adapter'> | null): boolean =>
  open !== null && open.adapter.signIn === undefined

type NetworksConfig = Pick<Config, 'dataDir' | 'publicUrl' | 'connectionKeys' | 'networkKeys' | 'networksStandIn'> &
  Partial<Pick<Config, 'linkedinPages'>>

// An administrator's keys, or the stand-in that answers for all of a network's hosts.
const keysOf = (
  { network, hosts }: Adapter,
  { networkKeys, networksStandIn, linkedinPages = false }: NetworksConfig,
): AppKeys | null => {
  const keys = networkKeys[network]
  if (keys) return { ...keys, hosts, isStandIn: false, hasPages: network === 'linkedin' && linkedinPages }
  if (networksStandIn === undefined) return null
  const base = `${networksStandIn}/${network}`
  return {
    clientId: 'sandbox',
    clientSecret: 'sandbox',
    hosts: Object.fromEntries(Object.keys(hosts).map((host) => [host, base])),
    isStandIn: true,
    hasPages: network === 'linkedin',
  }
}
