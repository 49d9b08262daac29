import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, it } from 'vitest'
import { makeClip } from '@clear-to-post/media/make-clip'
import { openIdentity } from '../src/identity/open.ts'
import { readConfig } from '../src/kernel/config.ts'
import { openDatabase, sql } from '../src/kernel/database.ts'
import { openQueue } from '../src/kernel/queue.ts'
import { freshDatabase } from './database.ts'
import { migrateWith, startHost, type Host } from './hosts.ts'
import { faultsOf } from './ledger.ts'
import { faultsOfUploads, openLoad, type Asked } from './load.ts'
import { openObjectStore } from './object-store.ts'
import { bringOlderCode } from './older-release.ts'
import { productionEnv } from './production.ts'
import { isLong, isProof, seeded, seedOfRun } from './random.ts'

const restMs = isLong ? 5000 : 1500
const store = isProof ? await openObjectStore() : undefined
afterAll(() => store?.close())

// Twelve hosts of two releases start for it, so npm test asks for one host’s drain alone (many.test.ts).
it.skipIf(!store)(
  'two releases replace each other under load, forth and back: no call fails, nothing acknowledged is lost',
  { timeout: 900_000 },
  async ({ expect, onTestFinished, skip }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-rolling-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const older = await bringOlderCode(join(folder, 'older'))
    if (!older) return skip('the repository has no history here')
    const database = await freshDatabase('template0')
    onTestFinished(database.drop)
    const place = { urls: database, bucket: await store!.makeBucket(), folder }
    await migrateWith(place, older.root)
    const queue = await openQueue(database.appUrl)
    const own = openDatabase(database.appUrl, { queue, max: 8 })
    const identity = await openIdentity({
      database: own,
      config: readConfig({ DATA_DIR: folder, SEED: 'none', PUBLIC_URL: productionEnv.PUBLIC_URL }),
    })
    onTestFinished(async () => {
      await own.close()
      await queue.close()
    })
    await makeClip({ out: join(folder, 'take.mp4'), seconds: 1, width: 180, height: 320, hue: 40 })
    const film = await readFile(join(folder, 'take.mp4'))

    const hosts = new Set<Host>()
    onTestFinished(async () => void (await Promise.all([...hosts].map((host) => host.end('SIGKILL')))))
    const start = async (role: 'api' | 'worker' | 'clock', root: string) => {
      const host = await startHost(role, place, { root, DRAIN_SECONDS: '4' })
      hosts.add(host)
      return host
    }

    // As a load balancer does: it asks each api twice a second, and sends calls to those that are ready.
    let ready: Host[] = []
    let isOver = false
    const balancer = (async () => {
      while (!isOver) {
        const apis = [...hosts].filter(({ role }) => role === 'api')
        const said = await Promise.all(
          apis.map((host) =>
            host.ready().then(
              ({ status }) => status === 'ready',
              () => false,
            ),
          ),
        )
        ready = apis.filter((host, n) => said[n] && hosts.has(host))
        await sleep(500)
      }
    })()
    let turn = 0
    const ask = async (): Promise<Asked> => {
      while (ready.length === 0) await sleep(20)
      return { origin: ready[turn++ % ready.length]!.origin, isUp: () => true }
    }

    for (const role of ['api', 'api', 'worker', 'clock'] as const) await start(role, older.root)
    const seed = seedOfRun()
    const load = await openLoad({ database: own, identity }, { random: seeded(seed), ask, film })
    await sleep(restMs)

    const spans: string[] = []
    const during = async (what: string, work: () => Promise<void>) => {
      const [began, calls, wrong] = [performance.now(), load.count.calls, load.wrong.length]
      await work()
      const seconds = (performance.now() - began) / 1000
      spans.push(
        `${what} ${seconds.toFixed(1)} s, ${load.count.calls - calls} calls, ${load.wrong.length - wrong} failed`,
      )
    }
    const replaceAll = async (root: string) => {
      const old = [...hosts]
      for (const host of old) {
        const next = await start(host.role as 'api', root)
        while (host.role === 'api' && !ready.includes(next)) await sleep(50)
        const code = await host.end()
        hosts.delete(host)
        expect(code, `${host.role} ended in order`).toBe(0)
      }
    }
    await during('this release migrates', () => migrateWith(place))
    await during('and replaces the older one', () => replaceAll(''))
    await during('it works', () => sleep(restMs))
    await during('the older one comes back', () => replaceAll(older.root))
    await during('and works on the newer schema', () => sleep(restMs))
    await load.end()
    isOver = true
    await balancer

    const lost = [
      ...(await faultsOf({ database: own }, load.answered)),
      ...(await faultsOfUploads({ database: own }, load.uploads)),
    ]
    const jobs = await own.asSystem((tx) =>
      tx.rows(sql<{ name: string }>`select name from pgboss.job where name = 'dead' or state = 'failed'`),
    )
    const { count } = load
    console.log(
      `rolling: PROVE_SEED=${seed}, ${older.commit.slice(0, 8)} and this code: ${spans.join('; ')}; in all ` +
        `${count.calls} calls (${count.repeated} repeated, ${count.refused} refused), ${load.answered.length} steps, ` +
        `${load.uploads.length} videos in ${count.pieces} pieces (${count.resumed} resumed); ${lost.length} faults, ${jobs.length} jobs given up`,
    )
    expect(load.wrong).toEqual([])
    expect(lost).toEqual([])
    expect(jobs).toEqual([])
    expect(load.answered.length).toBeGreaterThan(20)
    expect(load.uploads.length).toBeGreaterThan(1)
  },
)
