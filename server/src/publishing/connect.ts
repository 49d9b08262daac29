import { asLine } from '@clear-to-post/contract/visible'
import { createHash, randomBytes } from 'node:crypto'
import { connectsFor } from '@clear-to-post/domain/access'
import type { Network } from '@clear-to-post/domain/networks'
import { refusal } from '@clear-to-post/contract/errors'
import type { Caller, Database, Reader, Tx } from '../kernel/database.ts'
import type { AllowedAtNetwork } from '../kernel/personal-data.ts'
import { enqueue } from '../kernel/queue.ts'
import {
  RefusedByNetwork,
  SilentNetwork,
  type Account,
  type Ask,
  type GivenPassword,
  type Tokens,
} from '../outside/networks/adapter.ts'
import { networks, provesAccounts } from '../outside/networks/networks.ts'
import { networks as limits } from '@clear-to-post/domain/networks'
import { isPublicAddress } from '../outside/public-address.ts'
import { SealBroken } from '../outside/sealed.ts'
import { withdrawFor } from './move.ts'
import {
  addOAuthFlow,
  companysConnections,
  connectionIdFor,
  dropConnection,
  endPosting,
  endableConnection,
  heldConnections,
  holdersOf,
  isConnected,
  ownConnections,
  saveTokens,
  sharesGrant,
  takeOAuthFlow,
  type ConnectionRow,
} from './connection-store.ts'
import { openPostsOf, recallPostsOf, type ErasedConnection } from './store.ts'
import { readTokens, sealTokens } from './tokens.ts'

/** Accounts that one person connects at most, or one company. */
const mostConnections = 20
/** A way to a network and back ends after so many minutes. */
const oauthFlowMinutes = 15

/** The page of ours to which networks send people back; each app's settings name it. */
export const returnAddress = (publicUrl: string): string => `${publicUrl}/panel/connections`

/** Whoever has the most accounts may still connect one of theirs anew; what is one more is told when it is known. */
const requireRoom = (connected: readonly ConnectionRow[], network: Network): void => {
  if (connected.length >= mostConnections && connected.every((one) => one.network !== network))
    throw refusal('connection.too-many')
}

/** Whoever works for the service connects nothing. Throws connection.not-for-you. */
const requireHolder = (caller: Caller): void => {
  if (connectsFor(caller) === null) throw refusal('connection.not-for-you')
}

/**
 * What somebody connected, for themselves or for their company; an officer sees those of the company that they post with, too, and
 * whoever films no longer those that are their own from before, to end them.
 */
export const shownConnections = async (tx: Reader, caller: Caller): Promise<ConnectionRow[]> => {
  const whom = connectsFor(caller)
  if (whom === null) return ownConnections(tx, caller)
  const held = await heldConnections(tx, caller)
  const others = whom === 'company' ? ownConnections : companysConnections
  return [...held, ...(await others(tx, caller))]
}

/** Whether somebody has accounts that are their own. */
export const ownsConnections = async (tx: Reader, caller: Caller): Promise<boolean> =>
  (await ownConnections(tx, caller)).length > 0

/** Where the browser goes to allow an account. The state is this person's alone: brought back by anybody else it is refused. */
export const startConnecting = async (
  tx: Tx,
  caller: Caller,
  network: Network,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<string> => {
  requireHolder(caller)
  const open = networks().of(network)
  if (!open?.adapter.authorize) throw refusal('connection.not-offered')
  requireRoom(await heldConnections(tx, caller), network)
  const state = randomBytes(24).toString('base64url')
  const verifier = randomBytes(48).toString('base64url')
  await addOAuthFlow(tx, caller, {
    stateHash: hashOf(state),
    network,
    verifier,
    endsAt: new Date(now.getTime() + oauthFlowMinutes * 60_000),
  })
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return open.adapter.authorize(open.keys, { state, challenge, redirectUri: returnAddress(publicUrl) })
}

/**
 * Exchanges what the network sent back for the accounts that were allowed, and seals their keys. The state counts once, for who
 * began, whatever comes of it. No transaction is open while the network is asked.
 */
export const finishConnecting = async (
  database: Database,
  caller: Caller,
  { state, code }: { state: string; code: string },
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<ConnectionRow[]> => {
  requireHolder(caller)
  const flow = await database.inTenant(caller, (tx) => takeOAuthFlow(tx, caller, hashOf(state), now))
  if (!flow) throw refusal('connection.oauth-flow-ended')
  const open = networks().of(flow.network)
  if (!open?.adapter.authorize) throw refusal('connection.not-offered')
  const given = { code, verifier: flow.verifier, redirectUri: returnAddress(publicUrl), now }
  const accounts = await open.adapter.accounts(open.keys, networks().ask, given).catch((error: unknown) => {
    throw asRefusal(error)
  })
  return keepAccounts(database, caller, flow.network, accounts, now)
}

/**
 * Connects an account with a password that its owner made for this app there; the password itself is kept nowhere. No transaction is
 * open while the network is asked.
 */
export const connectWithPassword = async (
  database: Database,
  caller: Caller,
  { network, ...given }: { network: Network } & GivenPassword,
  now: Date,
): Promise<ConnectionRow[]> => {
  requireHolder(caller)
  const open = networks().of(network)
  if (!open?.adapter.signIn) throw refusal('connection.not-offered')
  if (given.server !== undefined && !isPublicAddress(given.server))
    throw refusal(
      'connection.refused',
      'This server cannot be reached from here. Write the address that its people use.',
    )
  const server = given.server === undefined ? undefined : new URL(given.server).origin
  // Somebody with no room left is not signed in anywhere.
  requireRoom(await database.inTenant(caller, (tx) => heldConnections(tx, caller)), network)
  const accounts = await open.adapter
    .signIn(open.keys, networks().ask, { ...given, server })
    .catch((error: unknown) => {
      if (error instanceof RefusedByNetwork && error.kind === 'reauth') throw refusal('connection.wrong-password')
      throw asRefusal(error)
    })
  return keepAccounts(database, caller, network, accounts, now)
}

/** Seals what was allowed. Where it cannot be kept, it does not stay allowed. */
const keepAccounts = async (
  database: Database,
  caller: Caller,
  network: Network,
  accounts: readonly Account[],
  now: Date,
): Promise<ConnectionRow[]> => {
  if (accounts.length === 0)
    throw refusal('connection.refused', 'There is no account or page that can post. Make one there first.')
  return database
    .inTenant(caller, async (tx) => {
      const ids: string[] = []
      for (const account of accounts) {
        const id = await connectionIdFor(tx, caller, {
          network,
          accountId: account.id,
          // As the network says it, which may be anything.
          name: asLine(account.name, 100) || asLine(account.id, 100),
          now,
        })
        await saveTokens(tx, id, sealTokens(networks(), id, account.tokens, now))
        ids.push(id)
      }
      const connected = await heldConnections(tx, caller)
      if (connected.length > mostConnections) throw refusal('connection.too-many')
      for (const one of connected) if (ids.includes(one.id)) await tellOfConnected(tx, one, now)
      return shownConnections(tx, caller)
    })
    .catch(async (error: unknown) => {
      // Nothing was kept of it, so nothing of it stays allowed.
      await endGrant(database, network, accounts)
      throw error
    })
}

/** Whoever finds a session open cannot have videos posted to an account of theirs unseen; a company's goes to all its ADMINs. */
const tellOfConnected = async (tx: Tx, row: ConnectionRow, now: Date): Promise<void> => {
  const { name } = limits[row.network]
  await enqueue(tx, 'notice', {
    notice: {
      kind: 'news',
      title: `An account on ${name} was connected`,
      body: `“${row.name}” on ${name} can be posted to from now on. Was it none of you? Disconnect it, and choose a new password.`,
      cta: { label: 'Open connections', url: '/panel/connections' },
      metadata: { connectionId: row.id },
      cause: `connection ${row.id} connected ${now.toISOString()}`,
    },
    userIds: await holdersOf(tx, row),
  })
}

/**
 * The account's keys are erased, and what was to be posted there is withdrawn; then the network is asked to end what was allowed.
 * Answers whether it did: some offer no such thing, one may be away, and another of our people may post to the same account.
 */
export const disconnect = async (database: Database, caller: Caller, id: string, now: Date): Promise<boolean> => {
  const dropped = await database.inTenant(caller, async (tx) => {
    const row = await endableConnection(tx, caller, id)
    if (!row) throw refusal('connection.not-found')
    if (row.tenant_id !== null) await endPosting(tx, caller, id, null)
    for (const post of await openPostsOf(tx, caller, id))
      await withdrawFor(
        tx,
        caller,
        post,
        {
          why: 'the account was disconnected',
          account: row.name,
          reason: 'your company’s admin disconnected this account.',
          wayOn: 'Unschedule the video and schedule it with another account, or ask them to connect it again.',
        },
        now,
      )
    await recallPostsOf(tx, id, now)
    await dropConnection(tx, caller, id, now)
    return row
  })
  if (dropped.tokens === null) return false
  // Ended at the network, its keys would end for the other pages that came with it, too.
  if (await database.asSystem((tx) => sharesGrant(tx, dropped))) return false
  const tokens = openTokens(dropped.id, dropped.tokens)
  return tokens !== null && endGrant(database, dropped.network, [{ id: dropped.account_id, tokens }])
}

/**
 * Asks the network to end a grant, unless one of its accounts is still connected by it. Answers whether it did. What a password
 * opened is each connection's own, and whose account it is says a server that may be anybody's: nobody else's connection counts.
 * Where it `isAskedAgain`, its silence is thrown.
 */
const endGrant = async (
  database: Database,
  network: Network,
  accounts: readonly Pick<Account, 'id' | 'tokens'>[],
  { isAskedAgain = false, ask = networks().ask }: { isAskedAgain?: boolean; ask?: Ask } = {},
): Promise<boolean> => {
  const open = networks().of(network)
  const [account] = accounts
  if (!open?.adapter.revoke || !account) return false
  const ids = accounts.map(({ id }) => id)
  if (provesAccounts(open) && (await database.asSystem((tx) => isConnected(tx, network, ids)))) return false
  return open.adapter.revoke(open.keys, ask, account.tokens).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RefusedByNetwork || (error instanceof SilentNetwork && !isAskedAgain)) return false
      throw error
    },
  )
}

/** What somebody who was removed had allowed, by the way that it came: the network is asked to end it for three days. */
export const allowedBy = (erased: readonly ErasedConnection[], now: Date): AllowedAtNetwork[] =>
  [...Map.groupBy(erased, ({ network, connected_at }) => `${network} ${connected_at}`).values()].flatMap((came) => {
    const accounts = came.flatMap(({ id, account_id, tokens }) =>
      tokens === null ? [] : [{ connectionId: id, accountId: account_id, tokens }],
    )
    const until = new Date(now.getTime() + 3 * 86_400_000).toISOString()
    return accounts.length === 0 ? [] : [{ network: came[0]!.network, accounts, until }]
  })

/** A network that is asked for somebody who was removed has so many seconds for each answer. */
const removalSeconds = 5

/** Asks a network to end what somebody who was removed had allowed. Throws SilentNetwork while it is to be asked again. */
export const endAllowed = (
  database: Database,
  { network, accounts, until }: AllowedAtNetwork,
  now: Date,
): Promise<boolean> => {
  const opened = accounts.flatMap(({ connectionId, accountId, tokens }) => {
    const opens = openTokens(connectionId, tokens)
    return opens === null ? [] : [{ id: accountId, tokens: opens }]
  })
  return endGrant(database, network, opened, {
    isAskedAgain: now < new Date(until),
    ask: (address, request) => networks().ask(address, { ...request, withinSeconds: removalSeconds }),
  })
}

const openTokens = (id: string, sealed: string): Tokens | null => {
  try {
    return readTokens(networks(), id, sealed)
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

/** What a person is told of a network's refusal or silence. */
export const asRefusal = (error: unknown): unknown => {
  if (error instanceof SilentNetwork) return refusal('connection.silent')
  return error instanceof RefusedByNetwork ? refusal('connection.refused') : error
}

const hashOf = (state: string): Buffer => createHash('sha256').update(state).digest()
