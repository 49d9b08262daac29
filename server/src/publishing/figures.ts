import { bestTimeOf, nextReading, type Figures } from '@clear-to-post/domain/figures'
import type { Caller, Database, Reader } from '../kernel/database.ts'
import { enqueueEach } from '../kernel/queue.ts'
import { RefusedByNetwork, SilentNetwork } from '../outside/networks/adapter.ts'
import type { Networks } from '../outside/networks/networks.ts'
import { connectionById } from './connection-store.ts'
import {
  accountsToMeasure,
  endMeasuring,
  holdMeasuring,
  measureFrom,
  measuredPosts,
  postsToMeasure,
  restMeasuring,
  saveFigures,
  zoneOf,
} from './figures-store.ts'
import { accessTo } from './tokens.ts'

type Deps = { database: Database; networks: Networks; now: () => Date }

/** A job that is lost is asked for again after this. */
const restMs = 30 * 60_000
const hourMs = 3_600_000

/**
 * Asks for the figures of accounts whose posts are due, in turn of whose they are, as many as each network allows the app in a
 * minute. Answers how many accounts.
 */
export const enqueueFigures = (
  { database, networks }: Pick<Deps, 'database' | 'networks'>,
  now: Date,
): Promise<number> =>
  database.asSystem(async (tx) => {
    if (!(await holdMeasuring(tx))) return 0
    await endMeasuring(tx, now)
    let count = 0
    for (const network of networks.offered) {
      const { measure } = networks.of(network)!.adapter
      if (!measure) continue
      const due = await accountsToMeasure(tx, network, now, measure.perMinute)
      if (due.length === 0) continue
      await restMeasuring(
        tx,
        due.map(({ id }) => id),
        now,
        new Date(now.getTime() + restMs),
      )
      await enqueueEach(
        tx,
        'figures',
        due.map(({ id: connectionId, owner, turn }) => ({ data: { connectionId }, owner, priority: -turn })),
      )
      count += due.length
    }
    return count
  })

/** Reads the figures of an account's posts by its own tokens, and keeps them. No transaction is open while the network is asked. */
export const readFigures = async (deps: Deps, connectionId: string): Promise<number> => {
  const { database, networks, now } = deps
  const at = now()
  const row = await database.asSystem((tx) => connectionById(tx, connectionId))
  const open = row && networks.of(row.network)
  if (!open?.adapter.measure || row?.state !== 'active') return 0
  const { most, read } = open.adapter.measure
  const posts = await database.asSystem((tx) => postsToMeasure(tx, connectionId, at, most))
  if (posts.length === 0) return 0
  const ids = posts.map(({ id }) => id)
  try {
    const ask = async (refused: string | null = null): Promise<Map<string, Figures>> => {
      const { access: token, server } = await accessTo(deps, connectionId, refused)
      const work = { keys: open.keys, token, server, accountId: row.account_id, ask: networks.ask }
      const remoteIds = posts.map(({ remote_id: id }) => id)
      return read(work, remoteIds).catch((error: unknown) => {
        if (refused === null && error instanceof RefusedByNetwork && error.kind === 'reauth') return ask(token)
        throw error
      })
    }
    const found = await ask()
    await database.asSystem(async (tx) => {
      for (const { id, remote_id: remoteId, live_at: liveAt } of posts) {
        const figures = found.get(remoteId)
        if (figures) await saveFigures(tx, id, figures, at)
        await measureFrom(tx, [id], nextReading(liveAt, at))
      }
    })
    return found.size
  } catch (error) {
    if (!(error instanceof RefusedByNetwork) && !(error instanceof SilentNetwork)) throw error
    // A day without figures costs nothing: nobody is told, and nobody is asked at once again.
    const isPatient = error instanceof SilentNetwork || error.kind === 'limit' || error.kind === 'retry'
    const again =
      (error instanceof RefusedByNetwork && error.again) || new Date(at.getTime() + (isPatient ? 1 : 24) * hourMs)
    await database.asSystem((tx) => measureFrom(tx, ids, again))
    return 0
  }
}

/** When this person's own posts did best, in their zone; or how many are missing before that can be said. */
export const bestTimeShown = async (tx: Reader, caller: Pick<Caller, 'id'>, now: Date) => {
  const rows = await measuredPosts(tx, caller, now)
  const posts = rows.map(({ account, live_at: liveAt, seen }) => ({ account, liveAt, seen }))
  const best = bestTimeOf(posts, now, await zoneOf(tx, caller))
  return { ...best, ...('next' in best && best.next ? { next: best.next.toISOString() } : { next: undefined }) }
}
