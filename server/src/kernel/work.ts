import { availableParallelism } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { JobWithMetadata } from 'pg-boss'
import { onCommit } from './committed.ts'
import { sql, systemCaller, type Database } from './database.ts'
import { everyClass, lanesOf, type Machine, type WorkClass } from './lanes.ts'
import { fairLock, type FairLock } from './fair-lock.ts'
import { countedJob } from './metrics.ts'
import type { JobName, Jobs, Queue } from './queue.ts'
import { beginSpan, errorWord, within } from './trace.ts'

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

/** What a job is given. `attempt` counts from 1; `signal` ends when the worker stops or the job has lost its claim. */
export type JobContext = {
  database: Database
  log: Log
  signal: AbortSignal
  attempt: number
  lastAttempt: boolean
  /** So many cores it may keep busy; all there are, unless said. */
  cores?: number
}

export type Job<Name extends JobName = JobName> = {
  name: Name
  /** How many of these run at once in one worker; of a class that keeps cores busy, at least. */
  atOnce: number
  /** Which class of work it is: `rest` unless said (lanes.ts). */
  class?: WorkClass
  /** Of the jobs with an owner, each owner has at most one running in one worker, however many may run at once. */
  oneEach?: boolean
  /** Some of them take only jobs of at least this priority (lanes.ts): the others may be held for long by those below it. */
  quickFrom?: number
  /**
   * For a job that decodes files that strangers sent: not begun where no sandbox holds a decoder safely (see
   * main/decoding.ts). `crashed` tells whether it was running when its worker died. Then it runs with no other decoding job
   * beside it: if the worker dies again, that counts against no other file (docs/decisions/0302). One that runs `when-idle`
   * begins when its worker decodes nothing else, and its signal ends as soon as another decoding job begins.
   */
  decodes?: { crashed: (data: Jobs[Name], database: Database) => Promise<boolean> } | 'when-idle'
  run: (data: Jobs[Name], context: JobContext) => Promise<void>
}

/** Works these jobs until the queue is closed. `stop` tells long jobs at once that the worker is about to close. */
export const work = async (
  jobs: readonly Job[],
  {
    queue,
    database,
    log,
    stop,
    machine = { cores: availableParallelism(), does: everyClass },
  }: { queue: Queue; database: Database; log: Log; stop?: AbortSignal; machine?: Machine },
): Promise<void> => {
  const lock = fairLock()
  const workers = new Map<string, string[]>()
  for (const job of jobs) {
    const ids: string[] = []
    const { lanes, quick, cores } = lanesOf(job.class ?? 'rest', job.atOnce, machine)
    for (let n = 0; n < lanes; n++)
      ids.push(
        await startWorker(job, n < quick ? job.quickFrom : undefined, { queue, database, log, stop, lock, cores }),
      )
    workers.set(job.name, ids)
  }
  wakeWorkers(workers, { queue, database, stop })
}

/** What another process enqueued, and what is to be tried again, is begun within this time. */
const lookEveryMs = 1000

/**
 * Wakes the workers of a kind when this process has enqueued one, and when one waits that another process enqueued: one
 * question for all of them, by an index that holds what waits.
 */
const wakeWorkers = (
  workers: ReadonlyMap<string, readonly string[]>,
  { queue, database, stop }: Pick<Shared, 'queue' | 'database' | 'stop'>,
): void => {
  const wake = (names: Iterable<string>) => {
    for (const name of names) for (const id of workers.get(name) ?? []) queue.boss.notifyWorker(id)
  }
  const forget = onCommit(wake)
  const names = [...workers.keys()]
  let isLooking = false
  const look = async () => {
    const waiting = await database.readOnly(systemCaller, (tx) =>
      tx.rows(sql<{ name: string }>`
        select w.name from unnest(${names}::text[]) as w(name)
        where exists (select from pgboss.job j where j.name = w.name and j.state < 'active' and not j.blocked and j.start_after <= now())`),
    )
    wake(waiting.map(({ name }) => name))
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    // A database that is away for a moment: the next look tells.
    void look()
      .catch(() => {})
      .finally(() => (isLooking = false))
  }, lookEveryMs)
  const end = () => {
    clearInterval(timer)
    forget()
  }
  queue.boss.once('stopped', end)
  stop?.addEventListener('abort', end, { once: true })
}

type Shared = {
  queue: Queue
  database: Database
  log: Log
  stop: AbortSignal | undefined
  lock: FairLock
  cores: number
}

const startWorker = async (
  job: Job,
  minPriority: number | undefined,
  { queue, database, log, stop, lock, cores }: Shared,
): Promise<string> => {
  const worker = await queue.boss.work(
    job.name,
    {
      includeMetadata: true as const,
      // Behind `wakeWorkers`, should that fail.
      pollingIntervalSeconds: 5,
      heartbeatRefreshSeconds: 3,
      ...(job.oneEach && { localGroupConcurrency: 1 }),
      ...(minPriority !== undefined && { minPriority }),
    },
    async ([claimed]: JobWithMetadata<Jobs[JobName]>[]) => {
      if (!claimed) return
      const { id, data, retryCount, retryLimit } = claimed
      const signal = stop ? AbortSignal.any([claimed.signal, stop]) : claimed.signal
      const context = { database, log, signal, attempt: retryCount + 1, lastAttempt: retryCount >= retryLimit, cores }
      try {
        const run = () => observed(job, claimed, context)
        if (job.decodes === 'when-idle')
          await lock.whenIdle((idle) => observed(job, claimed, { ...context, signal: idle }), signal)
        else if (job.decodes)
          await lock((await job.decodes.crashed(data as never, database)) ? 'exclusive' : 'shared', run)
        else await run()
      } catch (error) {
        const about = { job: job.name, id, attempt: context.attempt }
        if (stop?.aborted) log.info(about, 'a job goes on at the next start')
        else log.error({ ...about, err: error }, 'a job failed')
        throw error
      } finally {
        // Look for the next one at once: pg-boss would wait some seconds.
        queue.boss.notifyWorker(worker)
      }
    },
  )
  return worker
}

/** Runs a job, counts it, and traces it as part of what enqueued it. */
const observed = async (
  { name, run }: Job,
  { id, data }: JobWithMetadata<Jobs[JobName]>,
  context: JobContext,
): Promise<void> => {
  const facts = { 'clear.job': name, 'clear.job_id': id, 'clear.attempt': context.attempt }
  const span = beginSpan(`job ${name}`, 'job', facts, (data as { traceparent?: string }).traceparent)
  let error: string | undefined
  try {
    await countedJob(
      name,
      () => within(span, () => run(data as never, context)),
      () => (context.signal.aborted ? 'interrupted' : 'failed'),
    )
  } catch (thrown) {
    error = errorWord(thrown)
    throw thrown
  } finally {
    span?.end(
      { 'clear.outcome': error === undefined ? 'done' : context.signal.aborted ? 'interrupted' : 'failed' },
      error,
    )
  }
}
