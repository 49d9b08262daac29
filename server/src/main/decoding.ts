import { closedSandboxes, requireClosedSandbox, sandboxKind } from '@clear-to-post/media/sandbox'
import { notePausedChecks } from '../assets/jobs.ts'
import type { Database } from '../kernel/database.ts'
import { notePausedRenders } from '../edits/jobs.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Log } from '../kernel/work.ts'
import type { Config } from '../kernel/config.ts'

/**
 * Starts the jobs that decode people's files. Where others than the operator use the service, that waits until a sandbox
 * works that production accepts: uploads are kept, what waits says so, and the task that is answered looks again every
 * ten seconds.
 */
export const startDecoding = async ({
  config,
  start,
  database,
  log,
}: {
  config: Pick<Config, 'isHosted'>
  start: () => Promise<void>
  database: Database
  log: Log
}): Promise<PeriodicTask[]> => {
  if (config.isHosted) requireClosedSandbox()
  const mayDecode = async () => !config.isHosted || closedSandboxes.includes(await sandboxKind())
  if (await mayDecode()) {
    await resume(database)
    await start()
    return []
  }
  log.error('media is not decoded: no sandbox works that production accepts (npm run doctor says what to do)')
  let hasBegun = false
  return [
    {
      name: 'media sandbox',
      seconds: 10,
      run: async () => {
        if (hasBegun) return
        if (!(await mayDecode())) return pause(database)
        await resume(database)
        await start()
        hasBegun = true
        log.info('media is decoded again: the sandbox works')
      },
    },
  ]
}

const pause = (database: Database): Promise<void> =>
  database.asSystem(async (tx) => {
    await notePausedChecks(tx, true)
    await notePausedRenders(tx, true)
  })

const resume = (database: Database): Promise<void> =>
  database.asSystem(async (tx) => {
    await notePausedChecks(tx, false)
    await notePausedRenders(tx, false)
  })
