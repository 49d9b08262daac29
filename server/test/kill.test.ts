import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { client } from '@clear-to-post/contract/client'
import { Refusal } from '@clear-to-post/contract/errors'
import { sql } from '../src/kernel/database.ts'
import { faultsOf } from './ledger.ts'
import { again, mortal, watchCommits } from './mortal.ts'
import { openWork, type Answered, type Step } from './people-at-work.ts'
import { startProcess } from './processes.ts'
import { isLong, seeded, seedOfRun } from './random.ts'
import { callAs, makePerson, makeVideo, openService, type Service } from './service.ts'

const wanted = isLong ? { operations: 1000, kills: 50 } : { operations: 50, kills: 3 }
const clients = 6

it.concurrent(
  `${wanted.kills} kills (-9) of the server in ${wanted.operations} operations lose and double nothing`,
  async ({ expect, onTestFinished }) => {
    const service = await openService()
    onTestFinished(() => service.close())
    const seed = seedOfRun()
    const random = seeded(seed)
    const work = await openWork(service, random)
    const server = mortal(service, 'http')
    const commits = await watchCommits(service)
    const count = { sent: 0, refused: 0, kills: 0, repeated: 0 }
    const wrong: string[] = []
    const lastSent = new Map<string, number>()

    // Repeats the request until there is an answer, over kills of the server.
    const finish = async (step: Step) => {
      for (let tries = 0; ; tries++) {
        const { origin, alive } = await server.up()
        count.sent++
        if (tries > 0) count.repeated++
        lastSent.set(step.requestId, Date.now())
        const send = client({ origin, token: () => step.who.token })
        const options = { requestId: step.requestId, signal: AbortSignal.timeout(20_000) }
        try {
          work.note(step, await step.ask((shape, input) => send(shape, input, options)))
          break
        } catch (error) {
          if (error instanceof Refusal && error.kind === 'unexpected' && error.code !== 'unknown')
            wrong.push(error.message)
          if (error instanceof Refusal && !again.has(error.code)) {
            count.refused++
            break
          }
          if (!(error instanceof Refusal) && alive())
            wrong.push(`${step.verb}: no answer from a living server: ${error}`)
          await sleep(10)
        }
      }
    }

    const isDone = () => work.answered.length >= wanted.operations && count.kills >= wanted.kills
    // Every other time at any instant; else when something was just committed, so that its answer may die on the way.
    const killer = async () => {
      while (count.kills < wanted.kills) {
        await server.up()
        const at = count.sent + random.whole(8, 44)
        while (count.sent < at) await sleep(1)
        if (count.kills % 2 === 0) await sleep(random.next() * 15)
        else await commits.next()
        await server.kill()
        count.kills++
      }
    }
    const person = async () => {
      while (!isDone()) await finish(await work.next())
    }
    await Promise.all([killer(), ...Array.from({ length: clients }, person)])
    await server.end()
    await commits.close()
    await answersAgain(service, work.answered)

    const faults = await faultsOf(service, work.answered)
    const doneBefore = await doneBeforeTheKill(service, work.answered, lastSent)
    const lost = faults.filter((fault) => fault.endsWith('is lost')).length
    const doubled = faults.filter((fault) => fault.endsWith('too often')).length
    console.log(
      `kill: seed ${seed}: ${work.answered.length} operations (and ${count.refused} refused), ` +
        `${count.kills} kills; ${count.repeated} requests repeated, ${doneBefore} of them had been done before the kill; ` +
        `${lost} lost, ${doubled} doubled`,
    )
    expect(wrong).toEqual([])
    expect(faults).toEqual([])
  },
  isLong ? 600_000 : 600_000,
)

it.concurrent(
  'after a worker is killed (-9) while it notifies, another takes over within 60 s and everybody is notified once',
  { tags: 'long', timeout: 400_000 },
  async ({ expect, onTestFinished }) => {
    const service = await openService()
    onTestFinished(() => service.close())
    const { urls, config } = service
    const worker = () => startProcess('server/test/killed-server.ts', ['worker', urls.appUrl, config.dataDir])
    const officer = await makePerson(service, 'User')
    const editor = await makePerson(service, 'Editor')
    const body = { title: 'Told once', assets: [await makeVideo(service, officer)] }
    const { id: projectId } = await callAs(service, officer)(projects.create, { body })

    // This lock keeps the worker from writing a notification, in the middle of its job.
    const holder = new pg.Client({ connectionString: urls.superuserUrl })
    await holder.connect()
    await holder.query('begin; lock table notification in access exclusive mode')
    await callAs(service, editor)(projects.start, { body: { projectId } })
    const told = async (state: string) => {
      const { rowCount } = await holder.query(
        `select from pgboss.job where name = 'project-event' and data->>'seq' = '2' and state = $1`,
        [state],
      )
      return rowCount === 1
    }
    const first = await worker()
    while (!(await told('active'))) await sleep(50)
    const second = await worker()
    const killedAt = Date.now()
    await first.end('SIGKILL')
    await holder.query('rollback')
    while (!(await told('completed'))) await sleep(100)
    const seconds = (Date.now() - killedAt) / 1000
    console.log(`worker: killed in the middle of a job, taken over and done after ${seconds.toFixed(1)} s`)
    expect(seconds).toBeLessThan(60)
    const { rows } = await holder.query('select user_id, title from notification')
    expect(rows).toEqual([{ user_id: officer.id, title: 'Editing started' }])
    await second.end('SIGKILL')
    await holder.end()
  },
)

// The same request ids, asked of another server after all the deaths, answer what was answered, and do nothing.
const answersAgain = async (service: Service, answered: readonly Answered[]) => {
  for (const { who, requestId, ask, project } of answered) {
    const replayed = await ask((shape, input) => callAs(service, who)(shape, input, { requestId }))
    expect(replayed).toEqual(project)
  }
}

// Requests that were committed, but whose answer was lost: only the request id prevents a second effect.
const doneBeforeTheKill = async (
  service: Service,
  answered: readonly Answered[],
  lastSent: ReadonlyMap<string, number>,
) => {
  const events = await service.database.asSystem((tx) =>
    tx.rows(sql<{ key: string; at: Date }>`select project_id || ' ' || seq as key, at from project_event`),
  )
  const at = new Map(events.map((event) => [event.key, event.at.getTime()]))
  return answered.filter(({ requestId, project }) => at.get(`${project.id} ${project.seq}`)! < lastSent.get(requestId)!)
    .length
}
