// @module-tag long
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, it } from 'vitest'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import { makeClip } from '@clear-to-post/media/make-clip'
import { checkRunning } from '../src/backup/check-running.ts'
import { sql } from '../src/kernel/database.ts'
import { sendMail } from '../src/mail/actions.ts'
import { storage } from '../src/outside/storage.ts'
import { letDayPass, makeStaff, submitProject } from './factories.ts'
import type { FaultLine } from './fault-line.ts'
import { openFarNetwork, type FarNetwork } from './far-network.ts'
import { startHost, type Host } from './hosts.ts'
import { faultsOf } from './ledger.ts'
import { faultsOfUploads, openLoad } from './load.ts'
import { openObjectStore } from './object-store.ts'
import { productionEnv } from './production.ts'
import { isLong, isProof, seeded, seedOfRun } from './random.ts'
import { openRenders } from './renders.ts'
import { callAs, makeOfficer, makePerson, makeVideo, openService } from './service.ts'
import { openSmtp } from './smtp.ts'
import { endOfMails } from './mails.ts'

const way = { delayMs: 10, jitterMs: 10, loss: 0.01 }
/** Longer than it takes until another worker has a job (two rounds of ten seconds). */
const partedMs = 25_000
const videos = isLong ? 30 : 10

const store = isProof ? await openObjectStore() : undefined
afterAll(() => store?.close())

type Far = { host: Host; network: FarNetwork; toDatabase: FaultLine; toBucket: FaultLine }
type Cut = { what: string; begin: (far: Far) => void; mend: (far: Far) => void }
const cuts: Cut[] = [
  { what: 'from everything', begin: ({ network }) => network.part(), mend: ({ network }) => network.join() },
  {
    what: 'from the database',
    begin: ({ toDatabase }) => toDatabase.fail('hangs'),
    mend: ({ toDatabase }) => toDatabase.heal(),
  },
  { what: 'from the bucket', begin: ({ toBucket }) => toBucket.fail('hangs'), mend: ({ toBucket }) => toBucket.heal() },
]

const asked = isLong ? cuts : cuts.slice(0, 1)

// It makes networks of its own, for which it must be root: npm test asks for single workers (parted.test.ts).
it.skipIf(!store)(
  'workers and clocks that are parted for a while do nothing twice, and go on',
  { timeout: 900_000 },
  async ({ expect, skip, onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-parted-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const smtp = await openSmtp()
    onTestFinished(smtp.close)
    const bucket = await store!.makeBucket()
    const service = await openService({
      PUBLIC_URL: productionEnv.PUBLIC_URL,
      STORAGE: 'bucket',
      BUCKET_URL: bucket.url,
      BUCKET_KEY_ID: bucket.keyId,
      BUCKET_SECRET: bucket.secret,
    })
    onTestFinished(() => service.close())

    // Before there are workers, which would make its first cuts, too.
    const renders = await openRenders(service)
    onTestFinished(renders.close)
    const prepared: Awaited<ReturnType<typeof renders.prepare>>[] = []
    for (const n of asked.keys()) prepared.push(await renders.prepare(n * 20))

    const start = async (role: 'worker' | 'clock'): Promise<Far | undefined> => {
      const network = await openFarNetwork(way)
      if (!network) return undefined
      onTestFinished(network.close)
      const [toDatabase, toBucket, toMail] = [
        await network.to(service.urls.appUrl),
        await network.to(bucket.url),
        await network.to(smtp.url),
      ]
      const host = await startHost(role, {
        urls: { ownerUrl: service.urls.ownerUrl, appUrl: toDatabase.url },
        bucket: { ...bucket, url: toBucket.url },
        folder,
        env: { SMTP_URL: `${toMail.url}?requireTLS=false`, HOST: network.address, DRAIN_SECONDS: '0' },
        inside: network.inside,
      })
      onTestFinished(async () => void (await host.end('SIGKILL')))
      return { host, network, toDatabase: toDatabase.line, toBucket: toBucket.line }
    }
    const first = await start('worker')
    if (!first) return skip()
    const workers = [first, (await start('worker'))!]
    const clocks = [(await start('clock'))!, (await start('clock'))!]

    const seed = seedOfRun()
    const random = seeded(seed)
    let isOver = false
    let mails = 0
    onTestFinished(() => void (isOver = true))
    const mailer = (async () => {
      while (!isOver) {
        const mail = {
          key: `invoice ${mails}` as const,
          to: `mail-${mails}@mail.test`,
          data: { title: 'A', body: 'B' },
        }
        await service.database.asSystem((tx) => sendMail(tx, { ...mail, template: 'message' }))
        mails++
        await sleep(200)
      }
    })()

    const renderingIs = /^clear_jobs_running\{kind="render"\} [1-9]/m
    /** Where a render runs; nowhere when both say so. */
    const rendersOn = async (): Promise<Far | undefined> => {
      const said = await Promise.all(workers.map(({ host }) => host.metrics()))
      return workers.find((_, n) => said[n] === undefined || renderingIs.test(said[n]))
    }
    const beginsOn = async () => {
      for (;;) {
        const far = await rendersOn()
        if (far) return far
        await sleep(50)
      }
    }
    // Each way of being parted meets a worker in mid-render.
    const told: string[] = []
    for (const [n, { what, begin, mend }] of asked.entries()) {
      const { project, revision } = prepared[n]!
      const begun = performance.now()
      await callAs(service, renders.editor)(edits.render, { params: { projectId: project.id }, body: { revision } })
      const far = await beginsOn()
      await sleep(random.whole(0, 1500))
      begin(far)
      await sleep(partedMs)
      const render = async () => (await renders.rendersOf(project))[0]!
      const { state: meanwhile } = await render()
      mend(far)
      while (!['done', 'failed'].includes((await render()).state)) await sleep(200)
      const ended = await render()
      expect(ended.state, `${what}: ${ended.reason}`).toBe('done')
      const { attempt } = (await service.database.asSystem((tx) =>
        tx.first(sql<{ attempt: number }>`select attempt from render where project_id = ${project.id}`),
      ))!
      told.push(
        `${what}: ${meanwhile} when it was over, by run ${attempt}, ${((performance.now() - begun) / 1000).toFixed(0)} s after it was asked for`,
      )
      if (what !== 'from the bucket') expect(attempt, `${what}: ${meanwhile} when it was over`).toBeGreaterThan(1)
      // Whoever was overtaken notices, and is not taken for the one that has the next render.
      while (await rendersOn()) await sleep(200)
      expect(await renders.cutsOf(project), what).toHaveLength(1)
    }

    const checked = await checkRunning(service.database, storage(), { sample: 1000 })

    // A clock is parted while it moves what is due, and may hold a video then.
    const staff = await makeStaff(service)
    const ids: string[] = []
    const dueAt = new Date(Date.now() + 20_000 + videos * 1000)
    for (let n = 0; n < videos; n++) {
      await letDayPass(service)
      const officer = await makeOfficer(service)
      const project = await submitProject(service, officer)
      const at = { params: { projectId: project.id } }
      await callAs(service, staff.editor)(projects.start, { body: { projectId: project.id } })
      const finalVideoId = await makeVideo(service, staff.editor, project)
      await callAs(service, staff.editor)(projects.send, { ...at, body: { finalVideoId } })
      await callAs(service, staff.qa)(projects.approve, at)
      await callAs(service, officer)(projects.schedule, { ...at, body: { publishAt: dueAt.toISOString() } })
      ids.push(project.id)
    }
    const published = async () =>
      (await service.database.asSystem((tx) =>
        tx.first(sql<{ n: number; last: Date | null }>`
          select count(*)::integer as n, max(at) as last from project_event
          where verb = 'publish' and project_id = any(${ids}::uuid[])`),
      ))!
    while ((await published()).n < 2) await sleep(5)
    const parted = clocks[0]!
    parted.network.part()
    while ((await published()).n < videos) await sleep(200)
    const { n: steps, last } = await published()
    parted.network.join()

    // Each of them works again.
    const count = async ({ host }: Far) =>
      [...((await host.metrics()) ?? '').matchAll(/^clear_(?:job|task)_seconds_count\{.*outcome="done"\} (\d+)/gm)]
        .map(([, done]) => Number(done))
        .reduce((sum, done) => sum + done, 0)
    for (const far of [...workers, ...clocks]) {
      const before = await count(far)
      while ((await count(far)) <= before) await sleep(200)
    }
    isOver = true
    await mailer
    const { unknown, arrived, twice } = await endOfMails(service, smtp.received)
    const ledger = await faultsOf(service)
    console.log(
      `parted: PROVE_SEED=${seed}: lines of ${way.delayMs} to ${way.delayMs + way.jitterMs} ms and ${way.loss * 100} % loss; ` +
        `a worker in mid-render parted for ${partedMs / 1000} s ${told.join(', ')}; a clock parted among ${videos} videos due at once: ` +
        `${steps} published, the last one ${(((last?.getTime() ?? 0) - dueAt.getTime()) / 1000).toFixed(0)} s late; ` +
        `${mails} mails, ${arrived.size} arrived, ${unknown} not known to, ${twice.length} twice; ${ledger.length} faults of the ledger, ${checked.files} files with their objects`,
    )
    expect(steps).toBe(videos)
    expect(twice).toEqual([])
    expect(arrived.size + unknown).toBeGreaterThanOrEqual(mails)
    expect(ledger).toEqual([])
    expect(checked.faults).toEqual([])
  },
)

/** Longer than the server keeps what a parted host has begun (60 seconds). */
const apiPartedMs = isLong ? 75_000 : 25_000

it.skipIf(!store)(
  'an api that is parted from the database refuses in words, says so, and goes on with its streams afterwards',
  { timeout: 900_000 },
  async ({ expect, skip, onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-parted-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const bucket = await store!.makeBucket()
    const service = await openService({
      PUBLIC_URL: productionEnv.PUBLIC_URL,
      STORAGE: 'bucket',
      BUCKET_URL: bucket.url,
      BUCKET_KEY_ID: bucket.keyId,
      BUCKET_SECRET: bucket.secret,
    })
    onTestFinished(() => service.close())
    const network = await openFarNetwork(way)
    if (!network) return skip()
    onTestFinished(network.close)
    const toDatabase = await network.to(service.urls.appUrl)
    const appUrl = new URL(toDatabase.url)
    appUrl.searchParams.set('application_name', 'the far api')
    const far = await startHost('api', {
      urls: { ownerUrl: service.urls.ownerUrl, appUrl: appUrl.href },
      bucket: { ...bucket, url: (await network.to(bucket.url)).url },
      folder,
      env: { HOST: network.address, DRAIN_SECONDS: '0' },
      inside: network.inside,
    })
    onTestFinished(async () => void (await far.end('SIGKILL')))
    const worker = await startHost('worker', { urls: service.urls, bucket, folder })
    onTestFinished(async () => void (await worker.end('SIGKILL')))
    const near = await service.app.listen({ port: 0, host: '127.0.0.1' })

    // A balancer that has noticed nothing: every other call goes to the host that is parted.
    const seed = seedOfRun()
    const random = seeded(seed)
    await makeClip({ out: join(folder, 'take.mp4'), seconds: 1, width: 180, height: 320, hue: 40 })
    let isCalm = true
    const load = await openLoad(service, {
      random,
      film: await readFile(join(folder, 'take.mp4')),
      patienceMs: 60_000,
      ask: async () => {
        const began = isCalm
        return { origin: random.one([far.origin, near]), isUp: () => began && isCalm }
      },
    })
    const reviewer = await makePerson(service, 'QA')
    const headers = { authorization: `Bearer ${reviewer.token}` }
    const hear = async () => {
      const answer = await fetch(`${far.origin}/api/events?watch=projects`, { headers })
      const stream = { heard: [] as string[], isOver: false }
      const read = async () => {
        for await (const text of answer.body!.pipeThrough(new TextDecoderStream()))
          stream.heard.push(...[...text.matchAll(/^event: (\w+)/gm)].map(([, name]) => name!))
      }
      void read()
        .catch(() => {})
        .finally(() => (stream.isOver = true))
      return stream
    }
    const streams = [await hear(), await hear()]
    const answered = async (more: number) => {
      const enough = load.answered.length + more
      while (load.answered.length < enough && load.wrong.length === 0) await sleep(50)
    }
    while (!streams.every(({ heard }) => heard.includes('projects')) && load.wrong.length === 0) await sleep(50)
    await answered(20)
    expect(load.wrong).toEqual([])
    // It is in the middle of a step, and holds rows of it.
    const watcher = new pg.Client({ connectionString: service.urls.superuserUrl })
    await watcher.connect()
    onTestFinished(() => watcher.end())
    const held = async () =>
      (
        await watcher.query<{ n: number }>(`
          select count(*)::integer as n from pg_stat_activity
          where application_name = 'the far api' and backend_xid is not null and datname = current_database()`)
      ).rows[0]!.n
    const agains = streams.map(({ heard }) => heard.filter((name) => name === 'again').length)

    while ((await held()) === 0) await sleep(1)
    isCalm = false
    const [partedAt, before] = [performance.now(), load.answered.length]
    network.part(toDatabase.line)
    const refused = await fetch(`${far.origin}/api/projects/list/`, { headers, signal: AbortSignal.timeout(60_000) })
    const refusal = (await refused.json()) as { code: string; message: string }
    const refusedMs = performance.now() - partedAt
    const caught = await held()
    let said = await far.ready()
    while (said.parts['database']?.ok) said = await far.ready()
    const saidMs = performance.now() - partedAt
    await sleep(apiPartedMs - (performance.now() - partedAt))
    const meanwhile = load.answered.length - before
    const healedAt = performance.now()
    network.join()
    while ((await far.ready()).status !== 'ready') await sleep(50)
    const readyMs = performance.now() - healedAt
    // A page whose stream has ended opens another one.
    for (const [n, stream] of streams.entries()) {
      const heardAgain = () => stream.heard.filter((name) => name === 'again').length > agains[n]!
      while (!stream.isOver && !heardAgain()) await sleep(50)
      if (stream.isOver) streams[n] = await hear()
    }
    const againMs = performance.now() - healedAt
    const heard = streams.map((stream) => stream.heard.length)
    while (!streams.every((stream, n) => stream.isOver || stream.heard.slice(heard[n]).includes('projects')))
      await sleep(50)
    const undecided = [...load.undecided]
    isCalm = true
    await answered(20)
    await load.end()

    const lost = [...(await faultsOf(service, load.answered)), ...(await faultsOfUploads(service, load.uploads))]
    const checked = await checkRunning(service.database, storage(), { sample: 1000 })
    const ofFar = undecided.filter(({ origin }) => origin === far.origin)
    const slowest = Math.max(...undecided.map(({ ms }) => ms))
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    console.log(
      `parted api: PROVE_SEED=${seed}: parted from the database for ${seconds(apiPartedMs)} s with ${caught} steps in the middle; a list was refused after ${seconds(refusedMs)} s, ` +
        `/health/ready said “${said.parts['database']?.says}” after ${seconds(saidMs)} s; ${ofFar.length} of its calls and ` +
        `${undecided.length - ofFar.length} at the other host came to nothing, the slowest after ${seconds(slowest)} s, while ${meanwhile} steps were answered; ` +
        `ready ${seconds(readyMs)} s and its streams told ${seconds(againMs)} s after it was joined; in all ${load.answered.length} steps, ` +
        `${load.uploads.length} videos in ${load.count.pieces} pieces (${load.count.resumed} resumed); ${lost.length} lost or doubled, ${checked.files} files with their objects`,
    )
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(refusal).toMatchObject({ code: 'service.unavailable', message: expect.stringMatching(/try again/) })
    expect(said).toMatchObject({ status: 'not ready', parts: { database: { ok: false } } })
    // Nobody gave up waiting, and none was told anything else.
    const decent = /^(service\.unavailable$|request\.id-running$|503 )/
    expect(undecided.filter(({ said }) => !decent.test(said))).toEqual([])
    expect(ofFar.length).toBeGreaterThan(0)
    expect(meanwhile).toBeGreaterThan(0)
    expect(streams.filter(({ isOver }) => isOver)).toEqual([])
    expect(load.wrong).toEqual([])
    expect(lost).toEqual([])
    expect(checked.faults).toEqual([])
  },
)
