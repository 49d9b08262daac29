import { setTimeout as sleep } from 'node:timers/promises'
import { countedTask } from './metrics.ts'
import type { Log } from './work.ts'

/** Something to do again and again: every `seconds`, by every worker; each makes sure by itself that two do no harm. */
export type PeriodicTask = { name: string; seconds: number; run: (now: Date, signal: AbortSignal) => Promise<void> }

/** Runs tasks until `signal`; a failing one is logged and tried again at its next turn. */
export const runScheduler = async (
  tasks: readonly PeriodicTask[],
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> => {
  await Promise.all(
    tasks.map(async ({ name, seconds, run }) => {
      while (!signal.aborted) {
        await countedTask(name, () => run(new Date(), signal)).catch((error: unknown) => {
          if (!signal.aborted) log.error({ err: error, task: name }, 'a periodic task failed; it will be tried again')
        })
        await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
      }
    }),
  )
}
