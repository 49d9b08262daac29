import { setTimeout as sleep } from 'node:timers/promises'
import { countedTask } from './metrics.ts'
import type { Log } from './work.ts'

/** Something to do again and again: every `seconds`, by every worker; each makes sure by itself that two do no harm. */
export type PeriodicTask = { name: string; seconds: number; run: (now: Date, signal: AbortSignal) => Promise<void> }

/** How long a task rests. One that failed is tried again within five minutes, however seldom it comes by itself. */
export const pauseOf = (seconds: number, isDone: boolean): number => (isDone ? seconds : Math.min(seconds, 300))

/** Runs tasks until `signal`; a failing one is logged and tried again at its next turn, or sooner. */
export const runScheduler = async (
  tasks: readonly PeriodicTask[],
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> => {
  await Promise.all(
    tasks.map(async ({ name, seconds, run }) => {
      while (!signal.aborted) {
        const isDone = await countedTask(name, () => run(new Date(), signal)).then(
          () => true,
          (error: unknown) => {
            if (!signal.aborted) log.error({ err: error, task: name }, 'a periodic task failed; it will be tried again')
            return false
          },
        )
        await sleep(pauseOf(seconds, isDone) * 1000, undefined, { signal }).catch(() => {})
      }
    }),
  )
}
