import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { client } from '@clear-to-post/contract/client'
import { Refusal } from '@clear-to-post/contract/errors'
import { faultsOf } from './ledger.ts'
import { openWork, type Step } from './people-at-work.ts'
import { startProcess } from './processes.ts'
import { isLong, seeded, seedOfRun } from './random.ts'
import { callAs, makePerson, openService, type Service } from './service.ts'

let service: Service
beforeAll(async () => (service = await openService()))
afterAll(() => service.close())

it(
  'told to stop under load, the product answers every request in flight and ends within 25 s',
  async () => {
    const seed = seedOfRun()
    const work = await openWork(service, seeded(seed))
    const count = { answered: 0, inFlight: 0, afterwards: 0, repeated: 0 }
    const wrong: string[] = []
    for (let round = 0; round < (isLong ? 10 : 1); round++) {
      const product = await startProcess('server/src/main/start.ts', [], {
        ready: /runs at/,
        env: {
          DATABASE_URL: service.urls.ownerUrl,
          DATA_DIR: service.config.dataDir,
          PORT: '0',
          HOST: '127.0.0.1',
          SEED: 'none',
          LOG_LEVEL: 'error',
        },
      })
      const origin = /http\S+/.exec(product.said)![0]
      let toldAt = Number.POSITIVE_INFINITY

      const finish = async (step: Step) => {
        const sentAt = Date.now()
        const send = client({ origin, token: () => step.who.token })
        try {
          work.note(step, await step.ask((shape, input) => send(shape, input, { requestId: step.requestId })))
          if (sentAt < toldAt && Date.now() > toldAt) count.inFlight++
        } catch (error) {
          if (error instanceof Refusal && !['unexpected', 'unavailable'].includes(error.kind)) return
          // What leaves within these milliseconds may meet a door that has just closed.
          if (sentAt < toldAt - 20) wrong.push(`${step.verb}, sent ${toldAt - sentAt} ms before the signal: ${error}`)
          count.repeated++
          // Whether it was done says the request id.
          await step
            .ask((shape, input) => callAs(service, step.who)(shape, input, { requestId: step.requestId }))
            .then((project) => work.note(step, project))
            .catch(() => {})
        }
        if (toldAt === Number.POSITIVE_INFINITY) count.answered++
        else count.afterwards++
      }
      const person = async () => {
        while (toldAt === Number.POSITIVE_INFINITY) await finish(await work.next())
      }
      const people = Array.from({ length: 8 }, person)
      const stream = await openStream(origin)
      await sleep(1500)
      while (work.answered.length === 0) await sleep(20)

      // One that cannot end before the signal, whatever the luck.
      const held = await holdProject(work.answered.at(-1)!.project.id)
      const admin = await makePerson(service, 'ADMIN')
      const slow = fetch(`${origin}/api/projects/${held.id}/assign/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ editorId: '00000000-0000-4000-8000-000000000000' }),
      })
      while (!(await held.isWaitedFor())) await sleep(20)
      toldAt = Date.now()
      const ended = product.end('SIGTERM')
      await sleep(700)
      await held.release()
      // Refused by a rule (there is no such editor, or the project has moved on), but answered.
      expect([404, 409]).toContain((await slow).status)
      await Promise.all(people)
      await stream.ended
      expect(await ended).toBe(0)
      expect(Date.now() - toldAt).toBeLessThan(25_000)
      console.log(
        `term: seed ${seed}: ${count.answered} requests answered before the signal, ${count.inFlight + 1} in flight when it came, ` +
          `${wrong.length} failed; ended after ${((Date.now() - toldAt) / 1000).toFixed(1)} s`,
      )
      expect(wrong).toEqual([])
    }
    expect(await faultsOf(service, work.answered)).toEqual([])
  },
  isLong ? 600_000 : 180_000,
)

// A page that listens: its stream must neither hold the server up nor be cut off in the middle of a line.
const openStream = async (origin: string) => {
  const { token } = await makePerson(service, 'QA')
  const response = await fetch(`${origin}/api/events`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  return { ended: response.text().then((text) => expect(text.endsWith('\n\n')).toBe(true)) }
}

/** Locks a project's row, as a slow neighbour would. */
const holdProject = async (id: string) => {
  const neighbour = new pg.Client({ connectionString: service.urls.superuserUrl })
  await neighbour.connect()
  await neighbour.query('begin')
  await neighbour.query('select from project where id = $1 for update', [id])
  const isWaitedFor = async () => {
    const { rowCount } = await neighbour.query(
      `select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`,
    )
    return rowCount! > 0
  }
  return { id, isWaitedFor, release: () => neighbour.end() }
}
