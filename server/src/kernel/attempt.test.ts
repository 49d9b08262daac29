import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { mostCrashes } from '@clear-to-post/domain/crashes'
import { openService, type Service } from '../../test/service.ts'
import {
  Overtaken,
  progressWriter,
  runAttempt,
  unlessOvertaken,
  type Attempt,
  type GivenUp,
  type Pause,
} from './attempt.ts'
import { sql } from './database.ts'

/** Work on a table of its own, whose rows say what became of it. */
let service: Service
let superuser: pg.Client
beforeAll(async () => {
  service = await openService()
  superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  await superuser.query(`
    create table work (id integer primary key, attempt integer not null default 0, state text not null default 'waiting');
    grant select, insert, update, delete on work to public`)
})
beforeEach(() => superuser.query('delete from work; insert into work (id) values (1)'))
afterAll(async () => {
  await superuser.end()
  await service.close()
})

it('a finished run writes its end, and nothing else', async () => {
  const run = await begin()
  await runAttempt(context(), { ...run, work: () => run.write('done') })
  expect(await row()).toEqual({ attempt: 1, state: 'done' })
  expect(run.ends).toEqual([])
})

it('an older run writes nothing once a newer one has begun, and stops without an error', async () => {
  const older = await begin()
  const newer = await begin()
  await runAttempt(context(), { ...older, work: () => older.write('of the older one') })
  await newer.write('of the newer one')
  expect(older.ends).toEqual(['stepped back'])
  expect(await row()).toEqual({ attempt: 2, state: 'of the newer one' })
})

it('a run that is overtaken while it gives up stops too', async () => {
  const older = await begin()
  const fault = async () => {
    await begin()
    throw new Error('broken')
  }
  await runAttempt(context({ lastAttempt: true }), { ...older, work: fault, giveUp: () => older.write('given up') })
  expect(older.ends).toEqual(['stepped back'])
})

it('work that killed its worker too often is given up without another start', async () => {
  const run = await begin()
  const work = vi.fn(async () => {})
  await runAttempt(context(), { ...run, work, crashes: mostCrashes })
  expect(work).not.toHaveBeenCalled()
  expect(run.ends).toEqual(['given up: crashed'])
  await runAttempt(context(), { ...run, work, crashes: mostCrashes - 1 })
  expect(work).toHaveBeenCalledTimes(1)
})

it('a fault pauses the run while attempts are left, and is thrown for the queue', async () => {
  const run = await begin()
  const broken = new Error('broken')
  await expect(runAttempt(context(), { ...run, work: () => Promise.reject(broken) })).rejects.toBe(broken)
  expect(run.ends).toEqual(['paused: fault'])
})

it('after the last attempt the run is given up with the reason of the fault', async () => {
  for (const [reason, ends] of [
    ['memory', 'given up: memory'],
    ['timeout', 'given up: fault'],
    ['disk-full', 'given up: fault'],
  ] as const) {
    const run = await begin()
    const trouble = Object.assign(new Error('trouble'), { reason })
    await runAttempt(context({ lastAttempt: true }), { ...run, work: () => Promise.reject(trouble) })
    expect(run.ends).toEqual([ends])
  }
})

it('a run can declare faults that are worth another attempt, also after the last one', async () => {
  const full = Object.assign(new Error('full'), { reason: 'disk-full' })
  const run = await begin()
  const attempt = { ...run, work: () => Promise.reject(full), isWorthAnotherTry: (why: Pause) => why === 'disk-full' }
  await expect(runAttempt(context({ lastAttempt: true }), attempt)).rejects.toBe(full)
  expect(run.ends).toEqual(['paused: disk-full'])
})

it('a worker that is shut down leaves its run to another worker, also at the last attempt', async () => {
  const stop = new AbortController()
  const work = async () => {
    stop.abort()
    throw new Error('stopped')
  }
  const run = await begin()
  await expect(runAttempt(context({ signal: stop.signal, lastAttempt: true }), { ...run, work })).rejects.toThrow(
    'stopped',
  )
  expect(run.ends).toEqual(['paused: interrupted'])

  const handedOver = await begin()
  await runAttempt(context({ signal: stop.signal }), { ...handedOver, work, pause: async () => true })
  expect(handedOver.ends).toEqual([])
})

it('the original fault is thrown even when the pause cannot be stored', async () => {
  const run = await begin()
  const attempt = {
    ...run,
    work: () => Promise.reject(new Error('broken')),
    pause: () => Promise.reject(new Error('no database')),
  }
  await expect(runAttempt(context(), attempt)).rejects.toThrow('broken')
})

it('progress is written one report at a time, the latest only, and nothing after the end', async () => {
  const written: (number | undefined)[] = []
  let together = 0
  let mostTogether = 0
  const progress = progressWriter<number>({
    write: async (report) => {
      mostTogether = Math.max(mostTogether, ++together)
      await sleep(15)
      together--
      written.push(report)
    },
    everyMs: 5,
    log: quiet,
  })
  progress.report(0.1)
  progress.report(0.2)
  await expect.poll(() => written).toContain(0.2)
  expect(written).not.toContain(0.1)
  await expect.poll(() => written.length).toBeGreaterThan(2)
  expect(mostTogether).toBe(1)
  await progress.end()
  const before = written.length
  progress.report(0.9)
  await sleep(40)
  expect(written).toHaveLength(before)
})

it('a run without reports is also stopped when it is overtaken', async () => {
  const run = await begin()
  const progress = progressWriter<string>({
    write: (report) => run.write(report ?? 'alive'),
    everyMs: 5,
    log: quiet,
  })
  await expect.poll(row).toEqual({ attempt: 1, state: 'alive' })
  expect(progress.signal.aborted).toBe(false)
  await begin()
  await expect.poll(() => progress.signal.reason).toBeInstanceOf(Overtaken)
  await progress.end()
})

it('a short database outage does not end a run', async () => {
  let isAway = true
  let refused = 0
  const written: string[] = []
  const progress = progressWriter<string>({
    write: async (report) => {
      if (isAway) {
        refused++
        throw new Error('away')
      }
      if (report) written.push(report)
    },
    everyMs: 5,
    log: quiet,
  })
  progress.report('lost')
  await expect.poll(() => refused).toBeGreaterThan(0)
  isAway = false
  progress.report('kept')
  await expect.poll(() => written).toEqual(['kept'])
  expect(progress.signal.aborted).toBe(false)
  await progress.end()
})

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

const context = (more: { signal?: AbortSignal; lastAttempt?: boolean } = {}) => ({
  log: quiet,
  signal: new AbortController().signal,
  lastAttempt: false,
  ...more,
})

/** Begins a run of the one row; `ends` says which of its ends were asked for. */
const begin = async () => {
  const { attempt } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ attempt: number }>`update work set attempt = attempt + 1 where id = 1 returning attempt`),
  ))!
  const ends: string[] = []
  return {
    ends,
    write: async (state: string) =>
      unlessOvertaken(
        await service.database.asSystem((tx) =>
          tx.first(sql`update work set state = ${state} where id = 1 and attempt = ${attempt} returning id`),
        ),
      ),
    about: {},
    crashes: 0,
    pause: async (why: Pause) => {
      ends.push(`paused: ${why}`)
      return false
    },
    giveUp: async (why: GivenUp) => void ends.push(`given up: ${why}`),
    stepBack: async () => void ends.push('stepped back'),
  } satisfies Omit<Attempt, 'work'> & Record<string, unknown>
}

const row = async () => (await superuser.query('select attempt, state from work')).rows[0]
