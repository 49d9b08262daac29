import { networks as limits, toldBeforeDays } from '@clear-to-post/domain/networks'
import { partOf, type PostPart } from '@clear-to-post/domain/posting'
import type { Database } from '../kernel/database.ts'
import { enqueue, enqueueEach } from '../kernel/queue.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Job, Log } from '../kernel/work.ts'
import { networks, publishBringsFile } from '../outside/networks/networks.ts'
import { endWithLastPost } from './actions.ts'
import { runComment } from './comment.ts'
import { dueComments } from './comment-store.ts'
import { enqueueFigures, readFigures } from './figures.ts'
import { makePostFile, postFileCrashed } from './post-files.ts'
import { runPost } from './run.ts'
import { dropDisconnected, dropEndedOAuthFlows, endingConnections, holdersOf } from './connection-store.ts'
import { duePosts } from './store.ts'

/** Brings one post as far as its part of the work goes now; what is left is taken up when the post says. */
const jobOf = <Name extends 'post' | 'post-upload'>(name: Name, part: PostPart): Job<Name> => ({
  name,
  atOnce: 4,
  // An officer with many long videos holds one lane: nobody's posts wait for another one's (decision 501).
  oneEach: true,
  run: async ({ postId }, { database, signal }) => {
    const deps = { database, networks: networks(), publicUrl: networks().publicUrl, now: () => new Date() }
    const next = await runPost(deps, postId, { part, signal })
    // One that has ended may have been its video's last.
    if (next === undefined && part === 'publish') await endWithLastPost(database, postId, deps.now())
  },
})

/** Publishes what is ready, and asks what became of it. */
export const postJob = jobOf('post', 'publish')
/** Sends videos to the networks: most before their moment, one of them at it. */
export const postUploadJob = jobOf('post-upload', 'upload')

/** Writes the first comment below a post that is there. */
export const postCommentJob: Job<'post-comment'> = {
  name: 'post-comment',
  atOnce: 2,
  oneEach: true,
  run: async ({ postId }, { database, signal }) => {
    const deps = { database, networks: networks(), publicUrl: networks().publicUrl, now: () => new Date() }
    await runComment(deps, postId, { signal })
  },
}

/** Makes the file that a post takes to a network which does not take the approved one as it is. */
export const postFileJob: Job<'post-file'> = {
  name: 'post-file',
  atOnce: 1,
  class: 'ingest',
  oneEach: true,
  decodes: { crashed: ({ fileId }, database) => postFileCrashed(database, fileId) },
  run: ({ fileId }, context) => makePostFile(context, fileId),
}

/** Reads how the posts of one account do. */
export const figuresJob: Job<'figures'> = {
  name: 'figures',
  atOnce: 2,
  oneEach: true,
  run: async ({ connectionId }, { database }) => {
    await readFigures({ database, networks: networks(), now: () => new Date() }, connectionId)
  },
}

/** Enqueued in one look, every two seconds: 10,000 posts that are due in one minute are 333 each time. */
const mostAtOnce = 1000

export const publishingTasks = ({ database, log }: { database: Database; log: Log }): PeriodicTask[] => [
  {
    name: 'posts that are due',
    seconds: 2,
    // Asked for again as long as nobody has taken it: a post that is taken is not due.
    run: async (now) => {
      await database.asSystem(async (tx) => {
        const due = await duePosts(tx, now, mostAtOnce)
        const jobsOf = (part: PostPart) =>
          due
            .filter(({ state, network }) => partOf(state, publishBringsFile(networks(), network)) === part)
            .map(({ id: postId, user_id: owner, turn }) => ({ data: { postId }, owner, priority: -turn }))
        await enqueueEach(tx, 'post', jobsOf('publish'))
        await enqueueEach(tx, 'post-upload', jobsOf('upload'))
        const comments = await dueComments(tx, now, mostAtOnce)
        await enqueueEach(
          tx,
          'post-comment',
          comments.map(({ post_id: postId, user_id: owner, turn }) => ({ data: { postId }, owner, priority: -turn })),
        )
      })
    },
  },
  {
    name: 'figures of posts',
    seconds: 60,
    run: async (now) => {
      await enqueueFigures({ database, networks: networks() }, now)
    },
  },
  {
    name: 'connections that end',
    seconds: 3600,
    run: async (now) => {
      const told = await notifyEndingConnections(database, now)
      if (told > 0) log.info({ told }, 'told people of connections that end')
    },
  },
]

/** Tells owners 10 and 2 days before a connection ends, each once, and drops what has ended. Answers how many were told. */
export const notifyEndingConnections = (database: Database, now: Date): Promise<number> =>
  database.asSystem(async (tx) => {
    await dropEndedOAuthFlows(tx, now)
    await dropDisconnected(tx, now)
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
          userIds: await holdersOf(tx, row),
        })
        told++
      }
    return told
  })
