import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import pg from 'pg'
import { Refusal, refusal, tooMany } from '@clear-to-post/contract/errors'
import { LiveQuery } from '@clear-to-post/contract/live'
import { asNobodys } from '../kernel/asker.ts'
import { onCommit } from '../kernel/committed.ts'
import { systemCaller, type Caller } from '../kernel/database.ts'
import { readBy } from '../kernel/errors.ts'
import { NetworkCounter, NetworkPlaces } from '../kernel/network-counter.ts'
import type { ConnectionLimits } from './connections.ts'
import { eventLine } from './event-line.ts'
import { Audience, readWatch, type Data, type Listener, type Name, type Told } from './live-audience.ts'

/** The hub of one server: reads what was committed, while streams are open, and passes it to the people concerned. */
export type Live = {
  audience: Audience
  /** Adds a stream. What is committed from the moment that it hears `again` reaches it. */
  add: (listener: Listener) => void
  close: () => Promise<void>
}

/** Streams that one person has open: more than anybody has tabs and devices. Past it the oldest one is closed. */
export const mostOfOnePerson = 20
/** Streams that one person opens within a minute: more than twenty pages that each come back every few seconds. */
const mostOpened = 240
/** Streams that one server holds. */
const mostStreams = 10_000

/** How long it may take to say goodbye. */
const patienceOfClosingMs = 2_000
/** What another server commits is read so often; our own commits are read at once, but no closer together than `closest`. */
const everyMs = 250
const closestMs = 20
/** After the line was lost, so many streams at a time are asked whether their sessions count, and one that nobody could answer for again after this. */
const mostAsked = 8
const askAgainMs = 1000
/** How far work is, is looked at so often. */
const progressEveryMs = 1000
/** News are kept for longer than this; whoever has not looked for so long has missed some. */
const longestGapMs = 30_000

/** What was told is dropped after this long (main/worker.ts): every server has looked long before. */
export const newsKeptMs = 4 * longestGapMs

/**
 * Reads the table `news` while somebody listens; a lost connection comes back by itself, and every page is told to look
 * again. `patienceMs`: how long the database may take to let us in, and then to answer.
 */
export const openLive = (appUrl: string, { patienceMs = 10_000 } = {}): Live => {
  const audience = new Audience()
  const { listeners } = audience
  let socket: Socket | undefined
  let closed = false
  let running: Promise<void> | undefined
  let wake: () => void = () => {}
  let isHearing = false
  let beginnings = 0

  const connect = async () => {
    const fresh = new pg.Client({
      connectionString: appUrl,
      keepAlive: true,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      stream: () => (socket = new Socket()),
    })
    fresh.on('error', () => {})
    await fresh.connect()
    return fresh
  }

  // Beside the reading: however many there are to be asked, what is told meanwhile is not missed.
  const askAll = async (beginning: number) => {
    const waiting = audience.doubtAll()
    const askThem = async () => {
      for (let one; (one = waiting.shift());) {
        if (!listeners.has(one)) continue
        const isKnown = await one.recheck()
        if (closed || beginning !== beginnings) return
        if (isKnown) audience.trust(one)
        else {
          waiting.push(one)
          await sleep(askAgainMs)
        }
      }
    }
    await Promise.all(Array.from({ length: mostAsked }, askThem))
  }
  // From the first look on nothing is missed; what was before, pages read anew.
  const hear = async () => {
    const reader = await connect()
    try {
      let since: string | undefined
      const progress = new Map<string, string>()
      let progressAt = 0
      let lookedAt = performance.now()
      while (!closed && listeners.size > 0) {
        const now = performance.now()
        if (now - lookedAt > longestGapMs) since = undefined
        const withProgress = now - progressAt >= progressEveryMs
        const seen = await look(reader, since, withProgress)
        lookedAt = now
        if (since === undefined) {
          audience.forget()
          isHearing = true
          void askAll(++beginnings)
        }
        since = seen.at
        for (const told of seen.news) audience.tell(told)
        if (withProgress) {
          progressAt = now
          for (const told of changed(progress, seen.progress)) audience.tell(told)
        }
        const slept = Promise.withResolvers<void>()
        wake = slept.resolve
        const timer = setTimeout(slept.resolve, everyMs)
        await sleep(closestMs)
        await slept.promise
        clearTimeout(timer)
      }
    } finally {
      isHearing = false
      const late = setTimeout(() => socket?.destroy(), patienceOfClosingMs)
      await reader.end().catch(() => {})
      clearTimeout(late)
    }
  }
  const run = async () => {
    while (!closed && listeners.size > 0) {
      const isWell = await hear().then(
        () => true,
        () => false,
      )
      if (!isWell) socket?.destroy()
      if (!isWell && !closed && listeners.size > 0) await pauseOf(1000)
    }
    running = undefined
  }
  let endPause: () => void = () => {}
  const pauseOf = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const forget = onCommit(() => wake())
  return {
    audience,
    add: (listener) => {
      audience.add(listener)
      if (isHearing) audience.catchUp(listener)
      // It is heard for everybody who listens from now on.
      else running ??= asNobodys(run)
    },
    close: async () => {
      closed = true
      forget()
      for (const one of listeners) one.close()
      audience.close()
      wake()
      endPause()
      // A database that hangs does not answer a farewell either.
      const late = setTimeout(() => socket?.destroy(), patienceOfClosingMs)
      await running
      clearTimeout(late)
    },
  }
}

/**
 * What was committed since the snapshot `since`, in one statement, and the snapshot that it was read with. A row is new when
 * `since` did not see its transaction: so one that was open then is heard of when it commits, however long it took, and
 * nothing waits for it.
 */
const look = async (
  client: pg.Client,
  since: string | undefined,
  withProgress: boolean,
): Promise<{ at: string; news: Told[]; progress: Told[] }> => {
  const before = pg.escapeLiteral(since ?? '')
  const news =
    since === undefined
      ? 'null'
      : `(select json_agg(told order by id) from news
          where xid >= pg_snapshot_xmin(${before}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${before}::pg_snapshot))`
  // One message of several statements: behind a pooler the transaction is one connection's.
  const answers = (await client.query(`
    begin read only;
    select enter(${pg.escapeLiteral(systemCaller.id)}, ${pg.escapeLiteral(systemCaller.role)}, null, null);
    select pg_current_snapshot()::text as at, ${news} as news, ${withProgress ? progressSql : 'null'} as progress;
    commit`)) as unknown as pg.QueryResult<{ at: string; news: Told[] | null; progress: Told[] | null }>[]
  const { at, news: told, progress } = answers[2]!.rows[0]!
  return { at, news: told ?? [], progress: progress ?? [] }
}

/** How far the work is that goes on, as the events of it; by `asset_open`, `asset_deriving` and `render_open`. */
const progressSql = `(select json_agg(told) from (
  select json_build_object('type', 'asset', 'assetId', id, 'projectId', project_id, 'state', state, 'stage', stage,
    'progress', progress, 'userId', author_id, 'tenantId', tenant_id) as told from asset
  where state = 'checking' or (state = 'ready' and stage is not null)
  union all
  select json_build_object('type', 'render', 'renderId', id, 'projectId', project_id, 'state', state, 'stage', stage,
    'progress', progress, 'secondsLeft', seconds_left, 'userId', '', 'tenantId', tenant_id) from render
  where state = 'running') as work)`

/** Those that are not as they were told last; `last` is brought up to date, and what is over is forgotten. */
const changed = (last: Map<string, string>, now: readonly Told[]): Told[] => {
  const news: Told[] = []
  const alive = new Set<string>()
  for (const told of now) {
    const { assetId, renderId } = told as { assetId?: string; renderId?: string }
    const key = assetId ?? renderId!
    const text = JSON.stringify(told)
    alive.add(key)
    // The first time it is as the page has just read it, or as the news said.
    if (last.has(key) && last.get(key) !== text) news.push(told)
    last.set(key, text)
  }
  for (const key of last.keys()) if (!alive.has(key)) last.delete(key)
  return news
}

/** `GET /api/events`: the events of contract/src/live.ts, each to whom it concerns. */
export const mountLive = (
  app: FastifyInstance,
  {
    live,
    authenticate,
    connections: { perNetwork, total },
    limits,
  }: {
    live: Live
    authenticate: (request: FastifyRequest) => Promise<Caller | null>
    /** Behind a proxy the streams are all that is known of who holds connections. */
    connections: ConnectionLimits
    limits: boolean
  },
): void => {
  const opened = new NetworkCounter()
  const places = new NetworkPlaces({ most: perNetwork, total })
  // A stopping server still answers for a moment (protocol.ts): a stream that was opened in it ends with it.
  app.addHook('preClose', async () => {
    for (const one of live.audience.listeners) one.close()
  })
  app.get('/api/events', { exposeHeadRoute: false }, async (request, reply) => {
    const caller = await authenticate(request)
    if (!caller) throw refusal('session.required')
    const { age, watch } = readBy(LiveQuery, request.query, 'query')
    const { current, ttl } = opened.count(caller.id, { most: mostOpened, windowMs: 60_000, now: Date.now() })
    if (limits && current > mostOpened) throw tooMany(ttl)
    if (live.audience.listeners.size >= mostStreams) throw refusal('service.unavailable')
    const giveBack = places.take(request.ip)
    if (!giveBack) throw refusal('service.crowded')
    let beat: NodeJS.Timeout | undefined
    let life: NodeJS.Timeout | undefined
    const leave = () => {
      clearInterval(beat)
      clearTimeout(life)
      if (live.audience.delete(listener)) giveBack()
    }
    const line = eventLine(request, reply, leave)
    let hasBegun = false
    const listener: Listener = {
      caller,
      watch: readWatch(watch),
      from: age === undefined ? undefined : performance.now() - age,
      send: (name, data) => line.write(textOf(name, data)),
      close: () => (hasBegun ? line.end() : leave()),
      cut: line.cut,
      recheck: () =>
        authenticate(request).then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof Refusal) || error.kind !== 'unauthorized') return false
            listener.close()
            return true
          },
        ),
    }
    live.audience.add(listener)
    // A session that ended between the question and the listening was not heard of: the question is asked once more.
    try {
      await authenticate(request)
    } catch (error) {
      leave()
      throw error
    }
    if (!live.audience.listeners.has(listener)) throw refusal('session.ended')
    hasBegun = true
    line.begin()
    if (!live.audience.listeners.has(listener)) return
    beat = setInterval(() => line.write(stillHere), 20_000)
    // A stream does not outlive the session it was opened with; the page opens the next with its fresh token.
    life = setTimeout(listener.close, 15 * 60_000)
    line.write(comeBack)
    live.add(listener)
    closeOldest(live, caller.id)
  })
}

const stillHere = Buffer.from(': still here\n\n')
const comeBack = Buffer.from('retry: 2000\n\n')

// A set keeps its order: the oldest come first. Who was told that there are too many, and is still here, does not read.
const closeOldest = ({ audience }: Live, personId: string): void => {
  const own = [...audience.of(personId)]
  for (const one of own.slice(0, Math.max(0, own.length - mostOfOnePerson))) {
    if (toldFull.has(one)) one.cut?.()
    toldFull.add(one)
    one.send('full', {})
    one.close()
  }
}
const toldFull = new WeakSet<Listener>()

/** An event as the stream has it: written once for all who hear it, who wait for the same bytes. */
const textOf = (name: Name, data: Data): Buffer => {
  const written = texts.get(data)
  if (written !== undefined) return written
  const text = Buffer.from(`id: ${eventId++}\nevent: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`)
  texts.set(data, text)
  return text
}
const texts = new WeakMap<Data, Buffer>()
let eventId = Date.now()
