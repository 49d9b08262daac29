import { mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { addressOf, client } from '@clear-to-post/contract/client'
import { Refusal } from '@clear-to-post/contract/errors'
import { identity as identityCalls } from '@clear-to-post/contract/identity'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { checkAddress, fileUrl } from '../src/assets/addresses.ts'
import { openFamily } from '../src/identity/families.ts'
import { faultsOf } from './ledger.ts'
import { dropFolder, startLivingProduct, type LivingProduct } from './living-product.ts'
import { openWork, type Step } from './people-at-work.ts'
import { isLong, isProof, seeded, seedOfRun } from './random.ts'
import { callAs, confirmed, makeOfficer, makePerson, makeVideo, openService, outcome } from './service.ts'

const hour = 3_600_000
const minute = 60_000

it('a token or address signed while the clock was half an hour ahead still ends after the clock is set back', async () => {
  const service = await openService()
  try {
    const admin = await makePerson(service, 'ADMIN')
    const ask = (token: string) => outcome(callAs(service, { ...admin, token })(projects.list, {}))
    const isGood = (address: string) => {
      const { pathname, searchParams } = new URL(address, 'http://here')
      const [until, sign] = [searchParams.get('until')!, searchParams.get('sign')!]
      return checkAddress(pathname, { until, sign }, new Date())
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    // At the end of a window its addresses have the least time left.
    const real = Date.now()
    vi.setSystemTime(real + 30 * minute)
    const token = await service.identity.signIdToken(admin)
    const ahead = new Date(real + 6 * hour)
    const address = fileUrl('00000000-0000-4000-8000-000000000000', 'play.mp4', ahead)
    expect(await ask(token)).toBe('done')
    vi.setSystemTime(real)
    expect(await ask(token)).toBe('session.ended')
    expect(isGood(address)).toBe('ended')
    // Servers' clocks may differ by some seconds without signing anybody out.
    vi.setSystemTime(real + 30_000)
    const near = await service.identity.signIdToken(admin)
    vi.setSystemTime(real)
    expect(await ask(near)).toBe('done')
    expect(isGood(fileUrl('00000000-0000-4000-8000-000000000000', 'play.mp4', new Date(real + 30_000)))).toBe('good')
  } finally {
    vi.useRealTimers()
    await service.close()
  }
})

const jumps = isLong ? [1, 0, -1, 0, 1, -1, 1, 0] : [1, 0, -1, 0]

it.runIf(isProof)(
  `${jumps.length} clock jumps of an hour or two lose and double nothing, and lengthen no session`,
  async ({ onTestFinished }) => {
    const seed = seedOfRun()
    const dataDir = await mkdtemp(join(tmpdir(), 'clear-to-post-clock-'))
    onTestFinished(() => dropFolder(dataDir))
    const file = `${dataDir}-ahead`
    onTestFinished(() => dropFolder(file))
    const setAhead = async (ms: number) => {
      await writeFile(`${file}.new`, String(ms))
      await rename(`${file}.new`, file)
      await sleep(100)
    }
    await setAhead(0)
    const product = await startLivingProduct(dataDir, {
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'shifted-clock.ts')}`,
      CLOCK_AHEAD_FILE: file,
    })
    onTestFinished(async () => void (await product.stop()))
    const stage = product.service
    const began = Date.now()

    // What becomes due half an hour from now, and must then happen once: a video to publish, and a message to everybody.
    const admin = await makePerson(stage, 'ADMIN')
    const [officer, editor, reviewer] = [
      await makeOfficer(stage),
      await makePerson(stage, 'Editor'),
      await makePerson(stage, 'QA'),
    ]
    const as = (who: { token: string }) => client({ origin: product.origin, token: () => who.token })
    const title = 'Due in half an hour'
    const { id } = await as(officer)(projects.create, { body: { title, assets: [await makeVideo(stage, officer)] } })
    const at = { params: { projectId: id } }
    await as(editor)(projects.start, { body: { projectId: id } })
    const cut = await makeVideo(stage, editor, { id, tenantId: officer.tenantId })
    await as(editor)(projects.send, { ...at, body: { finalVideoId: cut } })
    const dueAt = new Date(began + hour / 2).toISOString()
    await as(reviewer)(projects.approve, { ...at, body: {} })
    await as(officer)(projects.schedule, { ...at, body: { publishAt: dueAt } })
    const trigger = await as(await confirmed(stage, admin))(notifications.createTrigger, {
      body: {
        title,
        transportType: ['push'],
        notification: { title, body: 'Film one this week' },
        timeOfDay: dueAt.slice(11, 16),
        timezone: 'UTC',
        criteria: { type: 'allUsers' },
        recurrence: { frequency: 'daily', interval: 1 },
      },
    })
    const happened = () =>
      product.behind<{ published: number; runs: number; most_told: number }>(
        `select
           (select count(*) from project_event where project_id = $1 and verb = 'publish')::int as published,
           (select count(*) from trigger_run where trigger_id = $2)::int as runs,
           coalesce((select max(n) from (select count(*) as n from notification where trigger_id = $2 group by user_id) t), 0)::int
             as most_told`,
        [id, trigger.id],
      )
    expect(await happened()).toEqual([{ published: 0, runs: 0, most_told: 0 }])

    const work = await openWork(stage, seeded(seed))
    const count = { jumps: 0, refusedAsEnded: 0, renewed: 0 }
    const wrong: string[] = []
    let isOver = false
    onTestFinished(() => void (isOver = true))
    const finish = async (step: Step) => {
      const { requestId, who } = step
      for (;;) {
        try {
          return work.note(step, await step.ask((shape, input) => as(who)(shape, input, { requestId })))
        } catch (error) {
          if (!(error instanceof Refusal) || error.kind === 'unexpected')
            return void wrong.push(`${step.verb}: ${error}`)
          if (error.code === 'session.ended') {
            // Tokens of the true clock have ended an hour ahead; they count again when the clock is right.
            count.refusedAsEnded++
            await sleep(50)
            if (!isOver) continue
          }
          if (error.code === 'request.id-running' || error.kind === 'unavailable') continue
          return
        }
      }
    }
    const people = Array.from({ length: 4 }, async () => {
      while (!isOver) await finish(await work.next())
    })

    const session = await openSession(product)
    const worker = async (before: number) => {
      while (work.answered.length < before + 15) await sleep(20)
    }
    for (const hours of jumps) {
      const token = await session.renew()
      const before = work.answered.length
      await setAhead(hours * hour)
      count.jumps++
      // The refresh token goes by the database's clock: a session stays, and gets an ID token of this clock.
      const fresh = await session.renew()
      count.renewed++
      expect(await statusOf(product, fresh)).toBe(200)
      const previous = count.jumps === 1 ? 0 : jumps[count.jumps - 2]!
      // Ahead by an hour, or behind, the token of the other clock has ended.
      expect(await statusOf(product, token)).toBe(previous === hours ? 200 : 401)
      const ready = await (await fetch(`${product.origin}/health/ready`)).text()
      expect(ready).toMatch(hours === 0 ? /agrees with the database/ : /(3600|35\d\d) s from the database/)
      if (hours === 0) await worker(before)
      if (hours > 0) {
        await expect.poll(happened, { timeout: 60_000 }).toEqual([{ published: 1, runs: 1, most_told: 1 }])
      }
      // Long enough for every periodic task that runs every few seconds.
      await sleep(6000)
    }
    expect(await happened()).toEqual([{ published: 1, runs: 1, most_told: 1 }])
    isOver = true
    await Promise.all(people)
    const waiting = `select count(*)::int as n from pgboss.job where name = 'project-event' and state <> 'completed'`
    await expect.poll(() => product.behind(waiting), { timeout: 60_000 }).toEqual([{ n: 0 }])
    console.log(`clock: seed ${seed}: ${work.answered.length} operations`, JSON.stringify(count))
    expect(wrong).toEqual([])
    expect(await faultsOf(stage as never)).toEqual([])
  },
  isLong ? 1_200_000 : 400_000,
)

const statusOf = async ({ origin }: LivingProduct, token: string) =>
  (await fetch(origin + addressOf(projects.list), { headers: { authorization: `Bearer ${token}` } })).status

/** A person who stays signed in: each renewal answers a new ID token. */
const openSession = async ({ origin, service }: LivingProduct) => {
  const { id } = await makePerson(service, 'QA')
  let { refreshToken } = await service.database.asSystem((tx) => openFamily(tx, id))
  return {
    renew: async (): Promise<string> => {
      const answer = await fetch(origin + addressOf(identityCalls.refresh), {
        method: 'POST',
        headers: { cookie: `ctp_refresh=${refreshToken}` },
      })
      expect(answer.status).toBe(200)
      refreshToken = /ctp_refresh=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')![1]!
      return ((await answer.json()) as { idToken: string }).idToken
    },
  }
}
