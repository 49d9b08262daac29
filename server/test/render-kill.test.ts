import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { it } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { client } from '@clear-to-post/contract/client'
import { edits } from '@clear-to-post/contract/edits'
import { Refusal } from '@clear-to-post/contract/errors'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { sql } from '../src/kernel/database.ts'
import { faultsOf } from './ledger.ts'
import { again, mortal, watchCommits } from './mortal.ts'
import type { Send } from './people-at-work.ts'
import { isLong, isProof, seeded, seedOfRun } from './random.ts'
import { openRenders } from './renders.ts'
import { callAs, makePerson, openService, type Person } from './service.ts'

const wanted = isLong ? { projects: 8, approvals: 12 } : { projects: 1, approvals: 4 }

it.runIf(isProof)(
  `kills (-9) during ${wanted.projects} renders leave one cut for each render, and each answered step once`,
  async ({ expect, onTestFinished }) => {
    const service = await openService()
    onTestFinished(() => service.close())
    const renders = await openRenders(service)
    onTestFinished(renders.close)
    const { editor } = renders
    const seed = seedOfRun()
    const random = seeded(seed)
    const reviewer = await makePerson(service, 'QA')
    const admin = await makePerson(service, 'ADMIN')
    const prepared: Awaited<ReturnType<typeof renders.prepare>>[] = []
    for (let n = 0; n < wanted.projects; n++) prepared.push(await renders.prepare(n * 20))

    const server = mortal(service, 'http')
    const worker = mortal(service, 'worker')
    const commits = await watchCommits(service)
    onTestFinished(async () => {
      await Promise.all([server.end(), worker.end()])
      await commits.close()
    })
    const count = { serverKills: 0, workerKills: 0, repeated: 0, approvals: 0, unanswered: 0, ofThemDone: 0 }

    const once = async <T>(who: Person, requestId: string, ask: (send: Send) => Promise<T>): Promise<T> => {
      const { origin } = await server.up()
      const send = client({ origin, token: () => who.token })
      return ask((shape, input) => send(shape, input, { requestId, signal: AbortSignal.timeout(60_000) }))
    }
    // Repeats the request until there is an answer, over kills of the server.
    const finish = async <T>(who: Person, ask: (send: Send) => Promise<T>): Promise<T> => {
      const requestId = randomUUID()
      for (; ; count.repeated++) {
        try {
          return await once(who, requestId, ask)
        } catch (error) {
          if (error instanceof Refusal && !again.has(error.code)) throw error
          await sleep(10)
        }
      }
    }
    // Half of the kills come at any time, half right after a commit whose answer may be lost.
    const whileServerDies = async <T>(work: () => Promise<T>): Promise<T> => {
      await server.up()
      const dying = (random.next() < 0.5 ? sleep(random.next() * 40) : commits.next()).then(() => server.kill())
      const done = await work()
      await dying
      count.serverKills++
      return done
    }
    const approvalsOf = async (id: string) =>
      (await service.database.asSystem((tx) =>
        tx.first(sql<{ n: number }>`
          select count(*) as n from project_event where project_id = ${id} and verb = 'approve'`),
      ))!.n

    const isBusy = async () =>
      (await service.database.asSystem((tx) =>
        tx.first(sql<{ n: number }>`
          select count(*) as n from pg_stat_activity
          where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`),
      ))!.n > 0

    for (const { project: begun, revision } of prepared) {
      const { id } = begun
      const at = { params: { projectId: id } }
      const made = () => renders.rendersOf(begun)
      const body = { revision }
      await whileServerDies(() => finish(editor, (send) => send(edits.render, { ...at, body })))

      // Once for each: a render over which its worker dies twice is given up (docs/decisions/0302).
      while (!['running', 'done'].includes((await made())[0]!.state)) await sleep(100)
      await sleep(random.next() * 2500)
      await Promise.all([worker.kill(), ...(random.next() < 0.5 ? [server.kill()] : [])])
      count.workerKills++
      // What the queue does when heartbeats are missed; the first time it is waited for.
      if (count.workerKills > 1)
        await service.database.asSystem((tx) =>
          tx.count(sql`
            update pgboss.job set state = 'retry', start_after = now() where name = 'render' and state = 'active'`),
        )
      for (;;) {
        const { state, asset, reason } = (await made())[0]!
        expect(state, reason).not.toBe('failed')
        if (state === 'done' && asset?.state === 'ready') break
        await sleep(200)
      }
      const all = await made()
      expect(all).toHaveLength(1)
      const cut = all[0]!.asset!.assetId
      expect(await renders.cutsOf(begun)).toEqual([cut])

      const send = () => finish(editor, (ask) => ask(projects.send, { ...at, body: { finalVideoId: cut } }))
      const sent = (await whileServerDies(send)) as Project
      expect(sent).toMatchObject({ status: 3, finalVideoId: cut })
      let { seq } = sent
      for (let k = 1; k <= wanted.approvals; k++) {
        const before = await approvalsOf(id)
        const approve = (ask: Send) => ask(projects.approve, { ...at, body: { seq } }) as Promise<Project>
        // One in four clients does not repeat the request: then it is applied once or not at all.
        const leaves = k % 4 === 0
        const answer = await whileServerDies(() =>
          leaves ? once(reviewer, randomUUID(), approve).catch(() => null) : finish(reviewer, approve),
        )
        await server.up()
        // What the dead server had asked the database for is over.
        while (await isBusy()) await sleep(20)
        const stands = (await approvalsOf(id)) - before
        const project = await callAs(service, admin)(projects.find, at)
        if (answer) {
          count.approvals++
          expect(stands).toBe(1)
          expect(answer).toMatchObject({ status: 2, seq: seq + 1 })
        } else {
          count.unanswered++
          count.ofThemDone += stands
          expect([0, 1]).toContain(stands)
        }
        expect(project).toMatchObject({ status: stands === 1 ? 2 : 3, seq: seq + stands })
        ;({ seq } = project)
        if (stands === 1 && k < wanted.approvals)
          ({ seq } = (await finish(admin, (ask) => ask(projects.rollback, at))) as Project)
      }
      expect(await renders.cutsOf(begun)).toEqual([cut])
      // The file is a whole one.
      expect(await callAs(service, editor)(assets.find, { params: { assetId: cut } })).toMatchObject({ state: 'ready' })
    }
    console.log(`render-kill: seed ${seed}: ${wanted.projects} renders`, JSON.stringify(count))
    expect(await faultsOf(service)).toEqual([])
  },
  isLong ? 1_800_000 : 400_000,
)
