import type { FastifyBaseLogger } from 'fastify'
import type { JobWithMetadata } from 'pg-boss'
import type { Database } from './database.ts'
import { fairLock, type FairLock } from './fair-lock.ts'
import type { JobName, Jobs, Queue } from './queue.ts'

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

/** What a job is given. `attempt` counts from 1; `signal` ends when the worker stops or the job has lost its claim. */
export type JobContext = { database: Database; log: Log; signal: AbortSignal; attempt: number; lastAttempt: boolean }

export type Job<Name extends JobName = JobName> = {
  name: Name
  /** How many of these run at once in one worker. */
  atOnce: number
  /** Of the jobs with an owner, each owner has at most one running in one worker, however many may run at once. */
  oneEach?: boolean
  /** One of them takes only jobs of at least this priority: the others may be held for long by those below it. */
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
  { queue, database, log, stop }: { queue: Queue; database: Database; log: Log; stop?: AbortSignal },
): Promise<void> => {
  const lock = fairLock()
  for (const job of jobs)
    for (let n = 0; n < job.atOnce; n++)
      await startWorker(job, n === 0 ? job.quickFrom : undefined, { queue, database, log, stop, lock })
}

type Shared = { queue: Queue; database: Database; log: Log; stop: AbortSignal | undefined; lock: FairLock }

const startWorker = async (
  job: Job,
  minPriority: number | undefined,
  { queue, database, log, stop, lock }: Shared,
): Promise<void> => {
  const worker = await queue.boss.work(
    job.name,
    {
      includeMetadata: true as const,
      pollingIntervalSeconds: 2,
      // No notice comes for a job whose next try is due, or whose worker died: half a minute, unless said.
      notifyPollingIntervalSeconds: 5,
      heartbeatRefreshSeconds: 3,
      ...(job.oneEach && { localGroupConcurrency: 1 }),
      ...(minPriority !== undefined && { minPriority }),
    },
    async ([claimed]: JobWithMetadata<Jobs[JobName]>[]) => {
      if (!claimed) return
      const { id, data, retryCount, retryLimit } = claimed
      const signal = stop ? AbortSignal.any([claimed.signal, stop]) : claimed.signal
      const context = { database, log, signal, attempt: retryCount + 1, lastAttempt: retryCount >= retryLimit }
      try {
        const run = () => job.run(data as never, context)
        if (job.decodes === 'when-idle')
          await lock.whenIdle((idle) => job.run(data as never, { ...context, signal: idle }), signal)
        else if (job.decodes)
          await lock((await job.decodes.crashed(data as never, database)) ? 'exclusive' : 'shared', run)
        else await run()
      } catch (error) {
        const about = { job: job.name, id, attempt: context.attempt }
        if (stop?.aborted) log.info(about, 'a job goes on at the next start')
        else log.error({ ...about, err: error }, 'a job failed')
        throw error
      } finally {
        // Look for the next one at once: pg-boss would wait for a notice that came while we were busy, or some seconds.
        queue.boss.notifyWorker(worker)
      }
    },
  )
}
