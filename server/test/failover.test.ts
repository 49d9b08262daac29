// @module-tag long
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, it } from 'vitest'
import { client } from '@clear-to-post/contract/client'
import { edits } from '@clear-to-post/contract/edits'
import { makeClip } from '@clear-to-post/media/make-clip'
import { checkRunning } from '../src/backup/check-running.ts'
import { patienceOfPeople } from '../src/kernel/pool.ts'
import { prepareQueue } from '../src/kernel/queue.ts'
import { sendMail } from '../src/mail/actions.ts'
import { storage } from '../src/outside/storage.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { folderInMemory } from './in-memory.ts'
import { openFaultLine } from './fault-line.ts'
import { migrateWith, startHost, type Host } from './hosts.ts'
import { faultsOf } from './ledger.ts'
import { faultsOfUploads, openLoad, type Asked } from './load.ts'
import { endOfMails } from './mails.ts'
import { openObjectStore } from './object-store.ts'
import { productionEnv } from './production.ts'
import { isLong, isProof, seeded, seedOfRun } from './random.ts'
import { openRenders } from './renders.ts'
import { openService } from './service.ts'
import { openSmtp } from './smtp.ts'
import { openPair } from './standby.ts'

const kills = isLong ? 8 : 2
const store = isProof ? await openObjectStore() : undefined
afterAll(() => store?.close())

it('calls go on at a standby that took over, without a restart, and each that was answered is done once', async ({
  expect,
  onTestFinished,
}) => {
  const pair = await openPair(await folderInMemory('pair'))
  onTestFinished(pair.close)
  const line = await openFaultLine(pair.primary)
  onTestFinished(line.close)
  const appUrl = new URL(pair.appUrl)
  await migrate({ ownerUrl: pair.ownerUrl })
  await prepareQueue(pair.ownerUrl)
  appUrl.port = String(line.port)
  const service = await openService({}, async () => appUrl.href, { patience: patienceOfPeople })
  onTestFinished(() => service.close())
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  let isUp = true
  const seed = seedOfRun()
  const load = await openLoad(service, {
    random: seeded(seed),
    ask: async () => ({ origin, isUp: () => isUp }),
    film: new Uint8Array(),
    senders: 0,
  })
  const answer = async (more: number) => {
    const enough = load.answered.length + more
    while (load.answered.length < enough && load.wrong.length === 0) await sleep(20)
  }
  await answer(25)
  isUp = false
  pair.killPrimary()
  line.leadTo(await pair.promote())
  await answer(5)
  isUp = true
  await answer(20)
  expect(load.wrong).toEqual([])
  await load.end()
  const faults = await faultsOf(service, load.answered)
  console.log(
    `failover: PROVE_SEED=${seed}: ${load.answered.length} steps (${load.count.repeated} repeated), ${faults.length} faults`,
  )
  expect(load.wrong).toEqual([])
  expect(faults).toEqual([])
})

// Five hosts are started for it: npm test asks for the failover of one alone.
it.skipIf(!store)(
  'the database fails over and hosts die at random: nothing acknowledged is lost, nothing done twice',
  { timeout: 900_000 },
  async ({ expect, onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-failover-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const pair = await openPair(await mkdtemp(join(tmpdir(), 'clear-to-post-pair-')))
    onTestFinished(pair.close)
    const line = await openFaultLine(pair.primary)
    onTestFinished(line.close)
    const through = (url: string) => {
      const to = new URL(url)
      to.port = String(line.port)
      return to.href
    }
    const smtp = await openSmtp()
    onTestFinished(smtp.close)
    const bucket = await store!.makeBucket()
    const place = {
      urls: { ownerUrl: through(pair.ownerUrl), appUrl: through(pair.appUrl) },
      bucket,
      folder,
      env: { SMTP_URL: smtp.url, DRAIN_SECONDS: '0' },
    }
    await migrateWith(place)
    const service = await openService(
      {
        PUBLIC_URL: productionEnv.PUBLIC_URL,
        STORAGE: 'bucket',
        BUCKET_URL: bucket.url,
        BUCKET_KEY_ID: bucket.keyId,
        BUCKET_SECRET: bucket.secret,
      },
      async () => place.urls.appUrl,
    )
    onTestFinished(() => service.close())
    const renders = await openRenders(service)
    onTestFinished(renders.close)
    const { project, revision } = await renders.prepare(0)
    await makeClip({ out: join(folder, 'take.mp4'), seconds: 1, width: 180, height: 320, hue: 40 })
    const film = await readFile(join(folder, 'take.mp4'))

    type Living = { host: Host; isUp: boolean }
    const start = async (role: 'api' | 'worker' | 'clock'): Promise<Living> => ({
      host: await startHost(role, place),
      isUp: true,
    })
    const apis = [await start('api'), await start('api')]
    const workers = [await start('worker'), await start('worker')]
    const clock = await start('clock')
    onTestFinished(async () => {
      await Promise.all([...apis, ...workers, clock].map(({ host }) => host.end('SIGKILL')))
    })
    const kill = async (of: Living[], n: number) => {
      const dying = of[n]!
      dying.isUp = false
      await dying.host.end('SIGKILL')
      of[n] = await start(dying.host.role as 'api')
    }

    const seed = seedOfRun()
    const random = seeded(seed)
    let failsOver = false
    const ask = async (): Promise<Asked> => {
      for (;;) {
        const up = apis.filter(({ isUp }) => isUp)
        const one = random.one(up)
        if (one) return { origin: one.host.origin, isUp: () => one.isUp && !failsOver }
        await sleep(20)
      }
    }
    const load = await openLoad(service, { random, ask, film })
    let isOver = false
    let mails = 0
    const mailer = (async () => {
      while (!isOver) {
        const data = { title: 'A', body: 'B' }
        const mail = { key: `invoice ${mails}`, to: `mail-${mails}@mail.test`, template: 'message', data } as const
        // Said to be sent once the transaction is acknowledged; else it is asked for again, under its key.
        await service.database
          .asSystem((tx) => sendMail(tx, mail))
          .then(
            () => mails++,
            () => sleep(100),
          )
        await sleep(150)
      }
    })()

    await sleep(3000)
    const { origin } = await ask()
    const byEditor = client({ origin, token: () => renders.editor.token })
    await byEditor(edits.render, { params: { projectId: project.id }, body: { revision } })
    const render = async () => (await renders.rendersOf(project))[0]!
    while ((await render()).state !== 'running') await sleep(50)
    await sleep(random.whole(0, 1500))
    // One of the workers dies, if chance will the one that renders, and an api.
    const first = random.whole(0, 1)
    await Promise.all([kill(workers, first), kill(apis, random.whole(0, 1))])
    for (let n = 0; n < kills; n++) {
      await sleep(random.whole(300, 1500))
      await kill(apis, random.whole(0, 1))
    }

    const watcher = new pg.Client({ connectionString: pair.superuserUrl })
    watcher.on('error', () => {})
    await watcher.connect()
    const inTransaction = async () =>
      (
        await watcher.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity
        where datname is not null and usename = $1 and xact_start is not null and state <> 'idle'`,
          [new URL(pair.appUrl).username],
        )
      ).rows[0]!.n
    let open = 0
    while ((open = await inTransaction()) < 2) await sleep(1)
    failsOver = true
    const killedAt = performance.now()
    const before = load.answered.length
    pair.killPrimary()
    line.fail('is killed')
    let away = (await apis[0]!.host.ready()).parts['database']
    // What was found out is told for a second.
    while (away?.ok) away = (await apis[0]!.host.ready()).parts['database']
    line.leadTo(await pair.promote())
    line.heal()
    const promoted = performance.now()
    const isReady = async ({ host }: Living) => (await host.ready()).status === 'ready'
    while (!(await Promise.all(apis.map(isReady))).every(Boolean)) await sleep(50)
    while (load.answered.length === before) await sleep(10)
    const answered = performance.now()
    failsOver = false
    await watcher.end().catch(() => {})

    await sleep(8000)
    await load.end()
    isOver = true
    await mailer
    while (!['done', 'failed'].includes((await render()).state)) await sleep(200)
    const ended = await render()
    expect(ended.state, ended.reason).toBe('done')
    expect(await renders.cutsOf(project)).toHaveLength(1)
    const faults = await faultsOfUploads(service, load.uploads)
    // The stage's own project was made past those whose answers are noted, and its render is no step.
    const lost = (await faultsOf(service, load.answered)).filter(
      (fault) => !fault.includes(project.id) && fault !== 'answer: null is there too often',
    )
    const checked = await checkRunning(service.database, storage(), { sample: 1000 })

    // Twice is counted of every mail, notices to people too; somebody who is told of two things gets two of them.
    const { unknown, arrived, twice } = await endOfMails(service, smtp.received)
    const seconds = (from: number, until: number) => ((until - from) / 1000).toFixed(1)
    console.log(
      `failover: PROVE_SEED=${seed}: ${kills + 2} hosts killed; the database killed with ${open} transactions open, /health/ready said “${away?.says}”; ` +
        `promoted after ${seconds(killedAt, promoted)} s, every api ready and a step answered after ${seconds(killedAt, answered)} s; ` +
        `${load.count.calls} calls (${load.count.repeated} repeated), ${load.answered.length} steps, ${load.uploads.length} videos ` +
        `in ${load.count.pieces} pieces (${load.count.resumed} resumed), ${mails} mails, of which ${unknown} may have arrived and the others did; ` +
        `${lost.length + faults.length} lost or doubled, ${twice.length} of ${smtp.received.length} mails twice, notices too; ${checked.files} files with their objects`,
    )
    expect(load.wrong).toEqual([])
    expect(lost).toEqual([])
    expect(faults).toEqual([])
    expect(twice).toEqual([])
    expect(arrived.size + unknown).toBeGreaterThanOrEqual(mails)
    expect(checked.faults).toEqual([])
    expect(away).toMatchObject({ ok: false })
  },
)
