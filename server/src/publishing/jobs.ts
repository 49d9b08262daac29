import { networks as limits, toldBeforeDays } from '@clear-to-post/domain/networks'
import type { Database } from '../kernel/database.ts'
import { enqueue, enqueueAll } from '../kernel/queue.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Job, Log } from '../kernel/work.ts'
import { networks } from '../outside/networks/networks.ts'
import { runPost } from './run.ts'
import { dropEndedWalks, duePosts, endingConnections } from './store.ts'

/** Brings one post as far as it goes now; what is left is taken up when the post says. */
export const postJob: Job<'post'> = {
  name: 'post',
  atOnce: 4,
  run: async ({ postId }, { database }) => {
    await runPost({ database, networks: networks(), publicUrl: networks().publicUrl, now: () => new Date() }, postId)
  },
}

export const publishingTasks = ({ database, log }: { database: Database; log: Log }): PeriodicTask[] => [
  {
    name: 'posts that are due',
    seconds: 2,
    // Asked for again as long as nobody has taken it: a post that is taken is not due.
    run: async (now) => {
      await database.asSystem(async (tx) => {
        const due = await duePosts(tx, now, 200)
        await enqueueAll(
          tx,
          'post',
          due.map(({ id: postId }) => ({ postId })),
        )
      })
    },
  },
  {
    name: 'connections that end',
    seconds: 3600,
    run: async (now) => {
      const told = await tellOfEndings(database, now)
      if (told > 0) log.info({ told }, 'told people of connections that end')
    },
  },
]

/** Tells owners 10 and 2 days before a connection ends, each once. Answers how many. */
export const tellOfEndings = (database: Database, now: Date): Promise<number> =>
  database.asSystem(async (tx) => {
    await dropEndedWalks(tx, now)
    let told = 0
    // The nearer end first: who hears of two days does not hear of ten beside it.
    for (const days of [...toldBeforeDays].sort((a, b) => a - b))
      for (const row of await endingConnections(tx, days, now)) {
        const { name } = limits[row.network]
        const left = Math.max(1, Math.ceil((row.ends_at.getTime() - now.getTime()) / 86_400_000))
        await enqueue(tx, 'notice', {
          notice: {
            kind: 'posting',
            title: `${name} ends in ${left === 1 ? 'a day' : `${left} days`}`,
            body: `“${row.name}” on ${name} has to be connected again by then, or nothing is posted there.`,
            cta: { label: 'Open connections', url: '/panel/connections' },
            metadata: { connectionId: row.id },
            cause: `connection ${row.id} ends ${row.ends_at.toISOString()} ${days}`,
          },
          userIds: [row.user_id],
        })
        told++
      }
    return told
  })
