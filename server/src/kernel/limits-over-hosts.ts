import { randomUUID } from 'node:crypto'
import { refusal } from '@clear-to-post/contract/errors'
import { sql, type Database, type Tx } from './database.ts'
import { boundOf, netsOf } from './network.ts'
import { NetworkCounter, type Counted } from './network-counter.ts'

declare module '@fastify/rate-limit' {
  interface RateLimitOptions {
    /** Whether it is counted for all hosts at once (`Limits.countTry`). */
    isTry?: boolean
  }
}

/**
 * Limits by the minute hold over all hosts. What strangers may try (a password, a code, a way in) is counted in the database, at each
 * call, and is refused where the database does not answer. All other counts are each host's own, and twice a second hosts tell each
 * other what has used up a sixteenth of its bound: most people never do, so it costs nothing on a call's way.
 */
export type Limits = {
  /** A counter of this host under a name that all hosts give it. */
  counter: (name: string) => NetworkCounter
  add: (name: string, counter: NetworkCounter) => void
  /** Counts one try in the database; where there is one host alone, here. */
  countTry: (
    name: string,
    ip: string,
    asked: { most: number; windowMs: number },
  ) => Promise<{ current: number; ttl: number }>
  /** Tells other hosts, and hears them. */
  exchange: () => Promise<void>
}

export const exchangeEveryMs = 500

/** Of one host alone: everything is counted here. */
export const ownLimits = (): Limits => {
  const tries = new Map<string, NetworkCounter>()
  return {
    counter: () => new NetworkCounter(),
    add: () => {},
    countTry: async (name, ip, asked) => {
      const counter = tries.get(name) ?? new NetworkCounter()
      tries.set(name, counter)
      return counter.count(ip, { ...asked, now: Date.now() })
    },
    exchange: async () => {},
  }
}

export const limitsOverHosts = (database: Pick<Database, 'asSystem'>): Limits => {
  const host = randomUUID()
  const counters = new Map<string, NetworkCounter[]>()
  // Nets that are past a bound: whoever asks from within one is answered so without a question, for as long as that lasts.
  const past = new Map<string, number>()
  const add = (name: string, counter: NetworkCounter) =>
    void counters.set(name, [...(counters.get(name) ?? []), counter])
  return {
    counter: (name) => {
      const counter = new NetworkCounter()
      add(name, counter)
      return counter
    },
    add,
    countTry: async (name, ip, { most, windowMs }) => {
      const until = Math.max(...netsOf(ip).map(({ net }) => past.get(`${name} ${net}`) ?? 0))
      if (until > Date.now()) return { current: most + 1, ttl: until - Date.now() }
      const { full, ...counted } = await database
        .asSystem((tx) => countOne(tx, { name, ip, most, windowMs }))
        .catch(() => {
          throw refusal('service.unavailable')
        })
      if (full === undefined) return counted
      if (past.size >= mostPast) past.clear()
      past.set(`${name} ${full}`, Date.now() + counted.ttl)
      return counted
    },
    exchange: async () => {
      const now = Date.now()
      const own = [...counters].flatMap(([name, same]) =>
        same.flatMap((counter) => [...counter.worthTelling(now)].map(([net, counted]) => ({ name, net, ...counted }))),
      )
      const told = await database.asSystem((tx) => tellOthers(tx, host, own))
      for (const [name, same] of counters) {
        const others = new Map<string, Counted>(
          told
            .filter((one) => one.name === name)
            .map(({ net, count, ends_at }) => [net, { count, endsAt: ends_at.getTime() }]),
        )
        for (const counter of same) counter.others = others
      }
    },
  }
}

const mostPast = 50_000
const nobody = '00000000-0000-0000-0000-000000000000'

/** Counts one where each net of the address has room; nothing is written where one has none: `full`. */
const countOne = async (
  tx: Tx,
  { name, ip, most, windowMs }: { name: string; ip: string; most: number; windowMs: number },
): Promise<{ current: number; ttl: number; full?: string }> => {
  // In one order, so that two addresses of one net never wait for each other.
  const nets = netsOf(ip).toSorted((a, b) => (a.net < b.net ? -1 : 1))
  const names = nets.map(({ net }) => net)
  const fullOf = (rows: readonly Standing[]) => {
    const byNet = new Map(rows.map((one) => [one.net, one]))
    const full = nets.find((net) => (byNet.get(net.net)?.count ?? 0) + 1 > boundOf(net, most))
    return full && { current: most + 1, ttl: Math.max(1, byNet.get(full.net)!.ttl), full: full.net }
  }
  const before = fullOf(
    await tx.rows(sql<Standing>`
      select net, count, (extract(epoch from ends_at - clock_timestamp()) * 1000)::integer as ttl from limit_count
      where name = ${name} and host = ${nobody}::uuid and net = any(${names}::text[]) and ends_at > clock_timestamp()`),
  )
  if (before) return before
  // What a crash forgets may be forgotten: no try waits for the disk.
  await tx.rows(sql<{ set_config: string }>`select set_config('synchronous_commit', 'off', true)`)
  const counted = await tx.rows(sql<Standing>`
    insert into limit_count as l (name, net, host, count, ends_at)
    select ${name}, n.net, ${nobody}::uuid, 0, clock_timestamp() + ${windowMs} * interval '1 ms' from unnest(${names}::text[]) as n(net)
    on conflict (name, net, host) do update set
      count = case when l.ends_at > clock_timestamp() then l.count else 0 end,
      ends_at = case when l.ends_at > clock_timestamp() then l.ends_at else excluded.ends_at end
    returning net, count, (extract(epoch from ends_at - clock_timestamp()) * 1000)::integer as ttl`)
  // Others counted in between.
  const full = fullOf(counted)
  if (full) return full
  const byNet = new Map(counted.map((one) => [one.net, one]))
  await tx.count(sql`
    update limit_count set count = count + 1 where name = ${name} and host = ${nobody}::uuid and net = any(${names}::text[])`)
  return {
    current: Math.max(...nets.map(({ net, times }) => Math.ceil((byNet.get(net)!.count + 1) / times))),
    ttl: Math.max(1, byNet.get(netsOf(ip)[0]!.net)!.ttl),
  }
}

type Standing = { net: string; count: number; ttl: number }

type Told = { name: string; net: string; count: number; ends_at: Date }

/** Says what this host has counted, and answers what all others have together. */
const tellOthers = async (
  tx: Tx,
  host: string,
  own: readonly ({ name: string; net: string } & Counted)[],
): Promise<Told[]> => {
  await tx.rows(sql<{ set_config: string }>`select set_config('synchronous_commit', 'off', true)`)
  if (own.length > 0)
    await tx.count(sql`
      insert into limit_count as l (name, net, host, count, ends_at)
      select o.name, o.net, ${host}::uuid, max(o.count), max(o.ends_at)
      from unnest(${own.map(({ name }) => name)}::text[], ${own.map(({ net }) => net)}::text[],
        ${own.map(({ count }) => count)}::integer[], ${own.map(({ endsAt }) => new Date(endsAt))}::timestamptz[]) as o(name, net, count, ends_at)
      group by 1, 2 order by 1, 2
      on conflict (name, net, host) do update set count = excluded.count, ends_at = excluded.ends_at
      where (l.count, l.ends_at) is distinct from (excluded.count, excluded.ends_at)`)
  return tx.rows(sql<Told>`
    select name, net, sum(count)::integer as count, max(ends_at) as ends_at from limit_count
    where host not in (${host}::uuid, ${nobody}::uuid) and ends_at > now() group by 1, 2`)
}

/** Forgets windows that have ended. */
export const dropEndedCounts = (database: Pick<Database, 'asSystem'>): Promise<number> =>
  database.asSystem((tx) => tx.count(sql`delete from limit_count where ends_at < now()`))

/**
 * Where @fastify/rate-limit counts: each route by itself, an address (its key) by every net that holds it. A route of which
 * `isTry` is said is counted for all hosts at once.
 */
export const limitStore = (limits: Limits) =>
  class LimitStore {
    readonly #count: (
      ip: string,
      asked: { most: number; windowMs: number },
    ) => Promise<{ current: number; ttl: number }>

    constructor({
      routeInfo,
      isTry,
    }: { routeInfo?: { method: string | string[]; url: string }; isTry?: boolean } = {}) {
      const name = routeInfo ? `${[routeInfo.method].flat().join()} ${routeInfo.url}` : ''
      if (isTry) this.#count = (ip, asked) => limits.countTry(name, ip, asked)
      else {
        const counter = limits.counter(name)
        this.#count = async (ip, asked) => counter.count(ip, { ...asked, now: Date.now() })
      }
    }

    incr(
      ip: string,
      answer: (error: Error | null, counted?: { current: number; ttl: number }) => void,
      windowMs: number,
      most: number,
    ): void {
      this.#count(ip, { most, windowMs }).then(
        (counted) => answer(null, counted),
        (error: unknown) => answer(error as Error),
      )
    }

    child(params: object): LimitStore {
      return new LimitStore(params)
    }
  }
