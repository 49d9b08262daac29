import { PgBoss } from 'pg-boss'
import pg from 'pg'
import type { Tx } from './database.ts'
import { patienceOfJobs } from './pool.ts'
import { origin } from './trace.ts'
import type { JobKind } from '@clear-to-post/domain/job-kinds'
import type { Notice } from '@clear-to-post/domain/notice'

/** Every job of the product and what it is told. A job names rows; it reads them when it runs. */
export type Jobs = {
  /** Notify people of one project event. */
  'project-event': { projectId: string; seq: number }
  /**
   * Send a notice to people, or end what they were told of a cause and is so no more; how rooms that do not import the
   * notifications reach them. `isPaidBeside`: whether they still pay a plan beside their company's is asked again first.
   */
  notice: { notice: Notice; userIds: string[]; isPaidBeside?: true } | { overCause: string; userIds: string[] }
  /** Check and derive one received file. `isLong`: one that was seen to be much work, and has waited for its turn as such. */
  ingest: { assetId: string; isLong?: boolean }
  /** Find the words of a project's takes and make its first cut. */
  'first-cut': { projectId: string }
  /** Make one finished file from its recipe. */
  render: { renderId: string }
  /** Make what a project's edit, as saved at this revision, is rendered from, while nobody waits for anything else. */
  'render-ahead': { projectId: string; revision: number }
  /** Send one mail. */
  mail: { mailId: string }
  /** Send one message to the devices that wait for it. */
  push: { pushId: string }
  /** Publish one post that is ready, or ask what became of it. */
  post: { postId: string }
  /** Make one post ready: send its video to the network. */
  'post-upload': { postId: string }
  /** Make a file of an approved one, for networks that do not take that one as it is. */
  'post-file': { fileId: string }
  /** Write the first comment below one post, or ask what became of it. */
  'post-comment': { postId: string }
  /** Read how often the posts of one account were seen. */
  figures: { connectionId: string }
  /** Send an endpoint of somebody's program what waits for it. */
  webhook: { endpointId: string }
  /** Handle one event of the payment provider's. */
  payment: { eventId: string }
  /** End a subscription at the provider. */
  endSubscription: { providerId: string }
  /** Pay for as many seats as the tenant has. */
  seats: { tenantId: string }
  /** Close a payer's open payment pages, and end their plan with its period where they are switched off or shut out. */
  'payer-standing': { tenantId: string } | { userId: string }
  /** End a plan that was paid although another one runs, and give the money back. */
  surplus: { providerId: string }
  /** Give back what was written down. */
  refund: { refundId: string }
  /** Give back, and tell others of, what staff left who were in this company (null: for all) and may go on with it no more. */
  'left-work': { userId: string; tenantId: string | null }
  /** Erase what a removed person left outside the database. */
  erase: { removalId: string }
  /** Ask a network to end what a removed person had allowed there: the grant by which this account came. */
  'end-grant': { removalId: string; connectionId: string }
  /** Write down what there is of a person, for them; `formerId`: the one whose place it takes. */
  export: { exportId: string; formerId?: string }
}
/** One that is not among `jobKinds`, too, cannot be enqueued. */
export type JobName = keyof Jobs & JobKind

/** `firstSeconds`: from a failed run to the next try, 5 unless said; up to twice as long each time, `mostSeconds` at most. */
type QueueRules = { retries: number; minutes: number; firstSeconds?: number; mostSeconds?: number }
const rules: { [Name in JobName]: QueueRules } = {
  'project-event': { retries: 10, minutes: 1 },
  notice: { retries: 10, minutes: 1 },
  // A file that takes the worker down twice is given up on: the third start only says so.
  ingest: { retries: 2, minutes: 60 },
  // Longer than it listens (domain/src/first-cut.ts), with the reading of the files before.
  'first-cut': { retries: 2, minutes: 45 },
  render: { retries: 10, minutes: 60 },
  // It waits until its worker has nothing else to decode, a day if need be, and over restarts of it.
  'render-ahead': { retries: 10, minutes: 24 * 60 },
  // A mail server may be away for half a day.
  mail: { retries: 13, minutes: 5 },
  // What a push service says is kept with each device; a run fails only where the database does.
  push: { retries: 10, minutes: 30 },
  // What a run leaves, the next one takes up: the posts themselves say when.
  post: { retries: 0, minutes: 60 },
  'post-upload': { retries: 0, minutes: 60 },
  'post-comment': { retries: 0, minutes: 60 },
  'post-file': { retries: 5, minutes: 60 },
  figures: { retries: 0, minutes: 10 },
  // The deliveries themselves say when; each run ends by itself.
  webhook: { retries: 0, minutes: 10 },
  // A provider may be away for some hours; what is given up here, the sweep takes up again.
  payment: { retries: 10, minutes: 2 },
  endSubscription: { retries: 13, minutes: 2 },
  seats: { retries: 13, minutes: 2 },
  'payer-standing': { retries: 13, minutes: 2 },
  surplus: { retries: 13, minutes: 2 },
  refund: { retries: 13, minutes: 2 },
  'left-work': { retries: 13, minutes: 15 },
  erase: { retries: 13, minutes: 15 },
  // It ends by itself after three days (publishing/connect.ts), whatever the network does: no tries are missing until then.
  'end-grant': { retries: 40, minutes: 2, firstSeconds: 60, mostSeconds: 6 * 3600 },
  export: { retries: 3, minutes: 15 },
}
/** Where jobs go that used up their tries (given-up.ts). */
export const deadLetter = 'dead'

export const jobNames = Object.keys(rules) as JobName[]

/** Queues by the names that older releases gave them: their waiting jobs are carried to the new ones. */
const renamed: Record<string, JobName> = { tell: 'project-event', say: 'notice' }

/** Jobs as one process sees them. */
export type Queue = { boss: PgBoss; close: () => Promise<void> }

/** Adds a job in the very transaction that makes it necessary: both happen or neither. */
export const enqueue = async <Name extends JobName>(
  tx: Tx,
  name: Name,
  data: Jobs[Name],
  /**
   * `priority`: higher goes first; 0 unless said. `startAfter`: not before this moment. `owner`: whose job it is, where
   * each has one running at a time (`Job.oneEach`).
   */
  { owner, ...options }: { priority?: number; startAfter?: Date; owner?: string } = {},
): Promise<void> => {
  tx.enqueued.add(name)
  await tx.queue.boss.send(
    name,
    { ...data, ...origin() },
    { db: tx, ...options, ...(owner && { group: { id: owner } }) },
  )
}

/** The same for many jobs of one kind, in one statement, each with its own priority and owner. */
export const enqueueEach = async <Name extends JobName>(
  tx: Tx,
  name: Name,
  all: readonly { data: Jobs[Name]; priority?: number; owner?: string }[],
): Promise<void> => {
  if (all.length === 0) return
  tx.enqueued.add(name)
  await tx.queue.boss.insert(
    name,
    all.map(({ owner, data, ...job }) => ({
      ...job,
      data: { ...data, ...origin() },
      ...(owner !== undefined && { group: { id: owner } }),
    })),
    { db: tx },
  )
}

/**
 * Makes the queue's own tables, as the database's owner; the app's role may then use them and own nothing. One at a time
 * (see migrate.ts). Answers whether the tables of an earlier release were changed, so that its code finds them strange.
 */
export const prepareQueue = async (ownerUrl: string, appRole = 'clear_app'): Promise<{ movedOn: boolean }> => {
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const before = await versionOf(client)
    await defineQueues(ownerUrl)
    await carryRenamed(client)
    // How far a company's waiting jobs reach (enqueue-in-turn.ts): asked for each thousand people who are written to.
    await client.query(`
      drop index if exists pgboss.job_turn;
      create index if not exists job_turn_of_company on pgboss.job (name, (data->'turn'->>'company'), priority)
      where state < 'active' and not blocked and data->'turn'->>'company' is not null`)
    const role = pg.escapeIdentifier(appRole)
    await client.query(`
      grant usage on schema pgboss to ${role};
      grant select, insert, update, delete, truncate on all tables in schema pgboss to ${role};
      grant usage, select on all sequences in schema pgboss to ${role};
      grant execute on all functions in schema pgboss to ${role}`)
    return { movedOn: before !== undefined && before !== (await versionOf(client)) }
  } finally {
    await client.end()
  }
}

/** The version of the queue's tables; undefined where there are none yet. */
const versionOf = async (client: pg.Client): Promise<number | undefined> => {
  const { rows: found } = await client.query(`select to_regclass('pgboss.version') is not null as is_made`)
  if (!found[0].is_made) return undefined
  return (await client.query<{ version: number }>('select version from pgboss.version')).rows[0]?.version
}

const defineQueues = async (ownerUrl: string): Promise<void> => {
  const boss = new PgBoss({ connectionString: ownerUrl, supervise: false, schedule: false, max: 2 })
  boss.on('error', () => {})
  try {
    await boss.start()
    await boss.createQueue(deadLetter)
    for (const [name, { retries, minutes, firstSeconds = 5, mostSeconds }] of Object.entries<QueueRules>(rules)) {
      const options = {
        retryLimit: retries,
        retryDelay: firstSeconds,
        retryBackoff: true,
        ...(mostSeconds !== undefined && { retryDelayMax: mostSeconds }),
        expireInSeconds: minutes * 60,
        // A worker that dies is noticed after this long and its job is taken over.
        heartbeatSeconds: 10,
        deadLetter,
        // Commits that notify go through one by one: workers look by themselves (work.ts).
        notify: false,
      }
      await boss.createQueue(name, options)
      await boss.updateQueue(name, options)
    }
  } finally {
    await boss.stop({ graceful: false })
  }
}

const carryRenamed = async (client: pg.Client): Promise<void> => {
  for (const [before, now] of Object.entries(renamed)) {
    await client.query('begin')
    await client.query('update pgboss.job set name = $2 where name = $1', [before, now])
    await client.query('delete from pgboss.queue where name = $1', [before])
    await client.query('commit')
  }
}

/**
 * Opens the queue for sending; a worker also works it (see work.ts). `supervise`: this process keeps the queue tidy.
 * `patienceMs`: how long a worker that closes waits for jobs that run. `answerMs`: how long a database that does not answer is
 * waited for; its own tidying takes longer than a claim.
 */
export const openQueue = async (
  appUrl: string,
  {
    works = false,
    supervise = false,
    patienceMs = 20_000,
    answerMs = supervise ? patienceOfJobs.answerMs : 30_000,
  }: { works?: boolean; supervise?: boolean; patienceMs?: number; answerMs?: number } = {},
): Promise<Queue> => {
  // What pg-boss does not know of goes to its pool as well.
  const ofPool = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, query_timeout: answerMs }
  const boss = new PgBoss({
    ...ofPool,
    connectionString: appUrl,
    migrate: false,
    createSchema: false,
    supervise,
    schedule: false,
    superviseIntervalSeconds: 10,
    // Missed heartbeats are looked for no more often than this, and once a minute unless said.
    monitorIntervalSeconds: 10,
    max: works ? 6 : 2,
  })
  // Lost connections come back by themselves; each job's own failure is logged where it runs.
  boss.on('error', () => {})
  await boss.start().catch((error: Error) => {
    // Its whole check of the tables is whether their version is its own.
    if (!/requires migrations|not installed/.test(error.message)) throw error
    throw new Error(
      'The queue’s tables are of another release: run this one’s ROLE=migrate, or start the newer version.',
    )
  })
  return { boss, close: () => boss.stop({ graceful: works, timeout: patienceMs }) }
}
