import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../kernel/database.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import { enqueue } from '../kernel/queue.ts'
import type { Job } from '../kernel/work.ts'
import { testPriority } from './actions.ts'
import type { Outcome } from '../outside/push/outcome.ts'
import { pushServices, type PushKey } from '../outside/push/push.ts'
import {
  claimDeliveries,
  dropOld,
  markUnshown,
  nextDue,
  pushKey,
  settleDeliveries,
  type Claimed,
  type Settled,
} from './store.ts'

const atATime = 100
/** Longer than any push service is waited for. */
const claimSeconds = 60

/**
 * Sends one message to the devices that wait for it, a hundred at a time, and comes back for those that must wait longer.
 * Slow ones hold their own place alone: the next are begun as soon as a quarter of the places is free. Whoever dies meanwhile leaves claims that end; what is sent twice by it takes its own place on the device (decision 160).
 */
export const pushJob: Job<'push'> = {
  name: 'push',
  atOnce: 4,
  oneEach: true,
  quickFrom: testPriority + 1,
  run: async ({ pushId }, { database, log, signal }) => {
    const paused: Paused = new Map()
    const counts = { sent: 0, failed: 0, gone: 0, dropped: 0, waiting: 0 }
    const key = await database.asSystem(pushKey)
    const running = new Set<Promise<void>>()
    const ended: Settled[] = []
    const begin = (one: Claimed) => {
      const run: Promise<void> = deliver(one, { pushId, key, paused }).then((settled) => {
        ended.push(settled)
        running.delete(run)
      })
      running.add(run)
    }
    const claim = (limit: number) =>
      database.asSystem((tx) => claimDeliveries(tx, pushId, { limit, seconds: claimSeconds }))
    for (;;) {
      if (!signal.aborted && running.size <= atATime * 0.75) (await claim(atATime - running.size)).forEach(begin)
      if (running.size === 0 && ended.length === 0) break
      if (running.size > 0) await Promise.race(running)
      // With those that end at about the same time.
      await Promise.race([Promise.all(running), sleep(50)])
      const settled = ended.splice(0)
      const failed = settled.flatMap(({ state, person_id }) => (state === 'failed' ? [person_id] : []))
      await database.asSystem(async (tx) => {
        await settleDeliveries(tx, settled)
        if (failed.length > 0) await markUnshown(tx, pushId, failed)
      })
      for (const { state } of settled) counts[state]++
    }
    await database.asSystem(async (tx) => {
      const startAfter = await nextDue(tx, pushId)
      if (startAfter) await enqueue(tx, 'push', { pushId }, { startAfter })
    })
    log.info({ pushId, ...counts }, 'a push was sent')
  },
}

/** What was sent is remembered for a month, so that its key counts that long. */
export const pushTasks = (database: Database): PeriodicTask[] => [
  {
    name: 'old pushes',
    seconds: 3600,
    run: async (now) => {
      await database.asSystem((tx) => dropOld(tx, new Date(now.getTime() - 30 * 86_400_000)))
    },
  },
]

/** Services that asked for a pause, by origin, for one run. */
type Paused = Map<string, Date>

const deliver = async (
  one: Claimed,
  { pushId, key, paused }: { pushId: string; key: PushKey; paused: Paused },
): Promise<Settled> => {
  const { id, attempts, person_id, device_id, fcm_token } = one
  const now = Date.now()
  const settled = (state: Settled['state'], error: string | null = null, due_at: Date | null = null): Settled => ({
    id,
    attempts,
    person_id,
    device_id,
    fcm_token,
    state,
    error,
    due_at,
  })
  if (one.useless_at.getTime() <= now) return settled('dropped', 'it came too late')
  const origin = one.endpoint === null ? 'phones' : new URL(one.endpoint).origin
  const outcome = paused.has(origin)
    ? ({ state: 'later', error: 'the push service asked for a pause', retryAt: paused.get(origin)! } satisfies Outcome)
    : await send(one, { pushId, key, ttl: Math.ceil((one.useless_at.getTime() - now) / 1000) })
  if (outcome === null) return settled('dropped', 'nobody may be told there any more')
  if (outcome.state !== 'later') return settled(outcome.state, outcome.state === 'sent' ? null : outcome.error)
  if (outcome.retryAt) paused.set(origin, outcome.retryAt)
  const again = Math.max(outcome.retryAt?.getTime() ?? 0, now + pauseAfter(attempts))
  return again < one.useless_at.getTime()
    ? settled('waiting', outcome.error, new Date(again))
    : settled('failed', outcome.error)
}

/** Null: there is nobody to send it to. */
const send = (
  { endpoint, p256dh, auth, fcm_token, title, body, url }: Claimed,
  { pushId, key, ttl }: { pushId: string; key: PushKey; ttl: number },
): Promise<Outcome> | null => {
  const shown = { id: pushId, title, body, url }
  const { toBrowser, toPhone } = pushServices()
  if (endpoint !== null) return toBrowser({ endpoint, p256dh: p256dh!, auth: auth! }, shown, { ttl, key })
  return fcm_token !== null && toPhone ? toPhone(fcm_token, shown, { ttl }) : null
}

/** 5 s, 20 s, 80 s, then about every five minutes; each a little later than the other, lest all come at once. */
const pauseAfter = (attempts: number): number =>
  Math.min(5_000 * 4 ** (attempts - 1), 300_000) * (1 + Math.random() / 4)
