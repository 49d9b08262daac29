import { networks as limits } from '@clear-to-post/domain/networks'
import type { Database } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { RefusedByNetwork, SilentNetwork, type Tokens } from '../outside/networks/adapter.ts'
import { SealBroken } from '../outside/sealed.ts'
import type { Networks } from '../outside/networks/networks.ts'
import {
  claimRefresh,
  connectionById,
  endRefresh,
  holdersOf,
  markNeedsSignIn,
  saveTokens,
  type ConnectionRow,
} from './connection-store.ts'

type Deps = { database: Database; networks: Networks; now: () => Date }

/**
 * The tokens of this connection, of which `access` is good for some minutes. Refreshed where it ends soon, or where the network has just refused
 * `refused`: by one of all who ask at once, who writes it into the row that the others then read. Throws RefusedByNetwork
 * `reauth` where only its owner can help, and SilentNetwork where the network or the one who refreshes does not answer.
 */
export const accessTo = async (deps: Deps, connectionId: string, refused: string | null = null): Promise<Tokens> => {
  const { database, networks, now } = deps
  const row = await database.asSystem((tx) => connectionById(tx, connectionId))
  if (!row || row.tokens === null || row.state !== 'active')
    throw new RefusedByNetwork('reauth', 'The account is not connected any more.')
  const tokens = await tokensIn(deps, { ...row, tokens: row.tokens })
  const endsSoon = tokens.accessEndsAt !== null && tokens.accessEndsAt - now().getTime() < soonMs
  // Somebody brought another one since: it has not been refused.
  const isRefused = refused !== null && refused === tokens.access
  if (!endsSoon && !isRefused) return tokens
  const open = networks.of(row.network)
  if (!open) throw new SilentNetwork(`${row.network} is not set up`)
  const until = new Date(now().getTime() + refreshMs)
  if (!(await database.asSystem((tx) => claimRefresh(tx, row.id, row.tokens!, now(), until)))) {
    // Another one is at it: what it has still holds for a moment, or its outcome is read at the next try.
    if (!isRefused && tokens.accessEndsAt! > now().getTime()) return tokens
    throw new SilentNetwork('the connection is being renewed')
  }
  try {
    const fresh = await open.adapter.refresh(open.keys, networks.ask, tokens, now())
    if (!fresh) {
      if (!isRefused && tokens.accessEndsAt! > now().getTime()) {
        await database.asSystem((tx) => endRefresh(tx, row.id))
        return tokens
      }
      throw new RefusedByNetwork('reauth', 'The network asks for a new sign-in.')
    }
    await database.asSystem((tx) => saveTokens(tx, row.id, sealTokens(networks, row.id, fresh, now())))
    return fresh
  } catch (error) {
    if (error instanceof RefusedByNetwork && error.kind === 'reauth')
      await askForSignIn(deps, { ...row, tokens: row.tokens! })
    else await database.asSystem((tx) => endRefresh(tx, row.id))
    throw error
  }
}
const soonMs = 10 * 60_000
/** A network is asked no longer than this for new tokens. */
const refreshMs = 90_000

/** Where the key that sealed them is lost, only its owner can help: they are asked to connect again. */
const tokensIn = async (deps: Deps, row: Held): Promise<Tokens> => {
  const { networks } = deps
  try {
    return readTokens(networks, row.id, row.tokens)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    await askForSignIn(deps, row)
    throw new RefusedByNetwork('reauth', 'The account has to be connected again.')
  }
}

type Held = ConnectionRow & { tokens: string }
/** Only its holder can help. Officers hear of it by their posts; who administers a company posts nothing, and is told. */
const askForSignIn = ({ database, now }: Deps, row: Held): Promise<void> =>
  database.asSystem(async (tx) => {
    const at = now()
    if ((await markNeedsSignIn(tx, row.id, row.tokens, at)) === 0 || row.tenant_id === null) return
    const { name } = limits[row.network]
    await enqueue(tx, 'notice', {
      notice: {
        kind: 'posting',
        title: `Connect ${name} again`,
        body: `“${row.name}” on ${name} asks for a new sign-in. Until then nobody of your company posts there.`,
        cta: { label: 'Open connections', url: '/panel/connections' },
        metadata: { connectionId: row.id },
        cause: `connection ${row.id} needs a sign-in ${at.toISOString()}`,
      },
      userIds: await holdersOf(tx, row),
    })
  })

export const readTokens = ({ seal }: Networks, connectionId: string, sealed: string): Tokens =>
  JSON.parse(seal.open(sealed, `connection ${connectionId}`)) as Tokens

export const sealTokens = ({ seal }: Networks, connectionId: string, tokens: Tokens, now: Date) => ({
  tokens: seal.seal(JSON.stringify(tokens), `connection ${connectionId}`),
  accessEndsAt: tokens.accessEndsAt === null ? null : new Date(tokens.accessEndsAt),
  endsAt: tokens.endsAt === null ? null : new Date(tokens.endsAt),
  now,
})
