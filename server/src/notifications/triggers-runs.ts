import { nextDue } from '@clear-to-post/domain/occurrences'
import { sql, type Database, type Tx } from '../kernel/database.ts'
import type { Log } from '../kernel/work.ts'
import type { Notice } from '@clear-to-post/domain/notice'
import { notify } from './notify.ts'
import { audienceOf, scheduleOld, timetableOf, triggerRow, type TriggerRow, type TriggerStatus } from './triggers.ts'
import { nextOfAudience } from './triggers-audience.ts'
import { runRow, type RunContent, type RunRow } from './triggers-history.ts'

/** A due time that passed by more than this is recorded as missed (docs/specification/things.md). */
const lateMs = 3_600_000
/** People told in one transaction. */
const chunk = 1000
/** A batch that fails this often is given up on. */
const tries = 10
/** Single failures that are kept by name. */
const kept = 50

/**
 * Fires what is due at `now`, each trigger in its own transaction: the row of its run is unique for the due time, so that
 * any number of schedulers fire it once. What is late by more than an hour is recorded as missed. Answers how many fired.
 */
export const fireDue = async (database: Database, now: Date): Promise<number> => {
  await database.asSystem((tx) => scheduleOld(tx, now))
  for (let fired = 0; ;) {
    const outcome = await database.asSystem(async (tx) => {
      const trigger = await tx.first(sql<TriggerRow>`
        select ${triggerRow} from notification_trigger t
        where t.next_execution <= ${now} and t.status in ('scheduled', 'active', 'failed')
        order by t.next_execution limit 1 for update skip locked`)
      return trigger && fireOne(tx, trigger, now)
    })
    if (!outcome) return fired
    if (outcome === 'fired') fired++
  }
}

/**
 * Records every due time until `now` as passed over, `why` in its words, and stops what is being sent: for a restored copy,
 * which cannot know what was sent before. Answers how many runs that concerns.
 */
export const skipDueRuns = async (database: Database, now: Date, why: string): Promise<number> => {
  let passed = await database.asSystem(async (tx) => {
    const open = await tx.rows(sql<RunRow>`select ${runRow} from trigger_run r where r.ended_at is null for update`)
    for (const run of open) await endRun(tx, run, 'warn', [why])
    return open.length
  })
  for (;;) {
    const found = await database.asSystem(async (tx) => {
      const trigger = await tx.first(sql<TriggerRow>`
        select ${triggerRow} from notification_trigger t
        where t.next_execution <= ${now} and t.status in ('scheduled', 'active', 'failed')
        order by t.next_execution limit 1 for update skip locked`)
      return trigger && fireOne(tx, trigger, now, why)
    })
    if (!found) return passed
    passed++
  }
}

const fireOne = async (
  tx: Tx,
  trigger: TriggerRow,
  now: Date,
  passOver?: string,
): Promise<'fired' | 'missed' | 'known'> => {
  const due = trigger.next_execution!
  const next = nextDue(timetableOf(trigger), due)
  const isMissed = passOver !== undefined || now.getTime() - due.getTime() > lateMs
  const { notification, transport_type } = trigger
  const content = { notification, transport_type, ...audienceOf(trigger) } satisfies RunContent
  const isNew = await tx.count(sql`
    insert into trigger_run (trigger_id, due_at, fired_at, time_zone, content, try_at, status, error_list, ended_at)
    values (${trigger.id}, ${due}, ${isMissed ? due : now}, ${trigger.time_zone}, ${JSON.stringify(content)}, ${now},
      ${isMissed ? 'warn' : null}, ${isMissed ? [passOver ?? missedWords] : []}::text[], ${isMissed ? now : null})
    on conflict (trigger_id, due_at) do nothing`)
  const fires = isNew === 1 && !isMissed
  const rests = next === null ? restingStatus(trigger, null, isNew === 1 ? 'failed' : 'completed') : trigger.status
  const status = fires ? 'running' : rests
  await tx.count(sql`
    update notification_trigger set next_execution = ${next}, status = ${status} where id = ${trigger.id}`)
  return fires ? 'fired' : isMissed ? 'missed' : 'known'
}

const missedWords = 'Missed: the service was away, and came back more than an hour later.'

/**
 * Stops what a trigger is sending: it was paused or canceled by hand. Whoever was told was told. As the service, holding
 * the trigger.
 */
export const stopRuns = (tx: Tx, triggerId: string): Promise<number> =>
  tx.count(sql`
    update trigger_run set status = 'warn', ended_at = clock_timestamp(),
      error_list = error_list || 'Stopped by hand before everybody was told.'::text
    where trigger_id = ${triggerId} and ended_at is null`)

/**
 * Works on runs that are under way until there is none: a thousand people in each transaction, which also keeps how far it
 * came. Whoever dies leaves the rest to another, and nobody is told twice. Answers how many runs ended.
 */
export const workRuns = async (
  database: Database,
  { now, signal, log }: { now: Date; signal?: AbortSignal; log?: Pick<Log, 'error'> },
): Promise<number> => {
  let ended = 0
  while (!signal?.aborted) {
    let held: string | undefined
    try {
      const outcome = await database.asSystem(async (tx) => {
        const run = await takeRun(tx, now)
        held = run?.id
        return run && (await stepOf(tx, run, now))
      })
      if (!outcome) return ended
      if (outcome === 'ended') ended++
    } catch (error) {
      if (held === undefined) throw error
      log?.error({ err: error, run: held }, 'a part of a trigger’s run failed; it will be tried again')
      await database.asSystem((tx) => noteFailure(tx, held!, error, now))
    }
  }
  return ended
}

// With its trigger, so that whoever changes or deletes that waits for the few people in hand, and nobody for each other.
const takeRun = (tx: Tx, now: Date) =>
  tx.first(sql<RunRow>`
    select ${runRow} from trigger_run r join notification_trigger t on t.id = r.trigger_id
    where r.ended_at is null and r.try_at <= ${now} order by r.try_at, r.id limit 1 for update skip locked`)

/** Tells the next people of a run, or ends it. */
const stepOf = async (tx: Tx, run: RunRow, now: Date): Promise<'went on' | 'ended'> => {
  const people = await nextOfAudience(tx, run.content, run.fired_at, run.done_to, chunk)
  // What fails twice goes one by one, so that a single person's trouble is theirs alone.
  const { sent, failed } =
    run.failures < 2 ? await sendToAll(tx, run, people, now) : await sendToEach(tx, run, people, now)
  const room = Math.max(0, kept - run.error_list.length)
  // How long it takes is counted from its first people on: until then it only waits for a worker.
  await tx.count(sql`
    update trigger_run set done_to = ${people.at(-1)?.id ?? run.done_to}, total = total + ${people.length},
      success = success + ${sent}, error = error + ${failed.length},
      error_list = error_list || ${failed.slice(0, room)}::text[], failures = 0,
      began_at = case when done_to is null and failures = 0 then now() else began_at end
    where id = ${run.id}`)
  if (people.length === chunk) return 'went on'
  const { total, error } = (await tx.first(
    sql<Pick<RunRow, 'total' | 'error'>>`select total, error from trigger_run where id = ${run.id}`,
  ))!
  await endRun(tx, run, total === 0 ? 'info' : error === 0 ? 'success' : error === total ? 'failed' : 'warn', [])
  return 'ended'
}

type Sent = { sent: number; failed: string[] }
type Listener = { id: string }

const sendToAll = async (tx: Tx, run: RunRow, people: readonly Listener[], now: Date): Promise<Sent> => ({
  sent: await sendTo(tx, run, people, now),
  failed: [],
})

const sendToEach = async (tx: Tx, run: RunRow, people: readonly Listener[], now: Date): Promise<Sent> => {
  let sent = 0
  const failed: string[] = []
  for (const person of people) {
    await tx.count(sql`savepoint one_person`)
    try {
      sent += await sendTo(tx, run, [person], now)
      await tx.count(sql`release savepoint one_person`)
    } catch (error) {
      await tx.count(sql`rollback to savepoint one_person`)
      // By their number: how they are called is read with the run, and goes with them.
      failed.push(`${person.id}: ${(error as Error).message}`)
      // Nobody at all of the first dozen: it is not the people.
      if (sent === 0 && failed.length === Math.min(people.length, 12) && run.failures < tries - 1) throw error
    }
  }
  return { sent, failed }
}

const sendTo = (tx: Tx, run: RunRow, people: readonly Listener[], now: Date): Promise<number> => {
  const { notification, transport_type } = run.content
  const cause = `trigger:${run.trigger_id}:${run.due_at.toISOString()}`
  const ids = people.map(({ id }) => id)
  return notify(tx, noticeOf(notification, transport_type, { cause, triggerId: run.trigger_id }), ids, now)
}

/** What a trigger says, as the one door takes it. */
export const noticeOf = (
  { title, body, cta, metadata }: RunContent['notification'],
  channels: RunContent['transport_type'],
  more: { cause: string; triggerId?: string },
): Notice => ({ kind: 'news', title, body, cta: cta ?? null, metadata: metadata ?? {}, channels, ...more })

const noteFailure = async (tx: Tx, runId: string, error: unknown, now: Date): Promise<void> => {
  const run = await tx.first(sql<RunRow>`
    select ${runRow} from trigger_run r join notification_trigger t on t.id = r.trigger_id
    where r.id = ${runId} and r.ended_at is null for update skip locked`)
  if (!run) return
  const failures = run.failures + 1
  if (failures >= tries) return endRun(tx, run, 'failed', [`Given up: ${(error as Error).message}`])
  const again = new Date(now.getTime() + 5_000 * 2 ** (failures - 1))
  await tx.count(sql`update trigger_run set failures = ${failures}, try_at = ${again} where id = ${runId}`)
}

const endRun = async (tx: Tx, run: RunRow, status: RunRow['status'], words: readonly string[]): Promise<void> => {
  await tx.count(sql`
    update trigger_run set status = ${status}, ended_at = clock_timestamp(), error_list = error_list || ${words as string[]}::text[]
    where id = ${run.id}`)
  const trigger = (await tx.first(
    sql<TriggerRow>`select ${triggerRow} from notification_trigger t where t.id = ${run.trigger_id}`,
  ))!
  const rests = restingStatus(trigger, trigger.next_execution, status === 'failed' ? 'failed' : 'completed')
  await tx.count(sql`update notification_trigger set status = ${rests} where id = ${trigger.id} and status = 'running'`)
}

/** What a trigger is between and after its runs. One that repeats goes on, also after a run that failed. */
const restingStatus = ({ recurrence }: TriggerRow, next: Date | null, once: 'completed' | 'failed'): TriggerStatus => {
  if (!recurrence) return once
  if (next === null) return 'expired'
  return once === 'failed' ? 'failed' : 'active'
}
