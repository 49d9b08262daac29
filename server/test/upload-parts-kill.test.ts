// @module-tag long
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, it } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { client } from '@clear-to-post/contract/client'
import { sendParts } from '../../web/app/spool/send-parts.ts'
import { sql } from '../src/kernel/database.ts'
import { storage } from '../src/outside/storage.ts'
import { openObjectStore } from './object-store.ts'
import { noise } from './noise.ts'
import { putByFetch } from './parts.ts'
import { startProcess, type Started } from './processes.ts'
import { isLong, seeded, seedOfRun } from './random.ts'
import { makePerson, openService } from './service.ts'

const MiB = 2 ** 20
const wanted = isLong ? { bytes: 512 * MiB, kills: 20, lines: 0.2 } : { bytes: 40 * MiB, kills: 2, lines: 0.2 }
const store = await openObjectStore()
afterAll(() => store?.close())

/** Two hosts share the bucket and the database; the sender asks now one, now the other. */
it.skipIf(!store)(
  `${wanted.bytes / MiB} MiB arrive whole in parts over ${wanted.kills} killed servers and lines that break to the bucket`,
  { timeout: 20 * 60_000 },
  async ({ expect, onTestFinished }) => {
    const place = await store!.makeBucket()
    const env = {
      STORAGE: 'bucket',
      BUCKET_URL: place.url,
      BUCKET_PUBLIC_URL: place.url,
      BUCKET_KEY_ID: place.keyId,
      BUCKET_SECRET: place.secret,
    }
    const service = await openService(env)
    onTestFinished(() => service.close())
    const person = await makePerson(service, 'User')
    const seed = seedOfRun()
    const random = seeded(seed)
    const film = noise(wanted.bytes, random.next)

    const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-hosts-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const start = async (host: number): Promise<Started> => {
      const dataDir = join(folder, String(host))
      await mkdir(dataDir, { recursive: true })
      return startProcess('server/test/killed-server.ts', ['http', service.urls.appUrl, dataDir], { env })
    }
    const hosts: Started[] = [await start(0), await start(1)]
    onTestFinished(async () => void (await Promise.all(hosts.map((host) => host.end('SIGKILL')))))

    const begun = await fetch(`${hosts[0]!.said}/uploads`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${person.token}`,
        'tus-resumable': '1.0.0',
        'upload-length': String(film.length),
      },
    })
    const assetId = begun.headers.get('location')!.split('/').at(-1)!

    const count = { kills: 0, asked: 0, broken: 0, begun: 0 }
    const acknowledged: number[] = [0]
    const file = new Blob([film as Uint8Array<ArrayBuffer>])
    const oneTry = () =>
      sendParts(file, {
        ask: async (body) => {
          count.asked++
          // The host dies while it answers, or between two answers.
          const host = random.whole(0, 1)
          const dies = count.kills < wanted.kills && count.asked % 2 === 0
          if (dies) {
            count.kills++
            void sleep(random.whole(0, 30)).then(() => hosts[host]!.end('SIGKILL'))
          }
          try {
            const call = client({ origin: hosts[host]!.said, token: () => person.token })
            const answer = await call(assets.sendParts, { params: { assetId }, body })
            const here = answer.here.reduce((sum, { bytes }) => sum + bytes, answer.receivedBytes)
            acknowledged.push(here)
            return answer
          } finally {
            if (dies) {
              await sleep(40)
              hosts[host] = await start(host)
            }
          }
        },
        put: async (address, bytes, watch) => {
          if (count.broken === 0 || random.next() < wanted.lines) {
            count.broken++
            // Some come too short, some whole without an answer.
            if (random.next() < 0.5) await putByFetch(address, bytes, watch)
            throw new Error('the line broke')
          }
          return putByFetch(address, bytes, watch)
        },
        signal: new AbortController().signal,
        onSent: () => {},
      })
    for (let how = ''; how !== 'whole';) {
      count.begun++
      how = await oneTry().catch((error: Error) => error.message)
    }
    console.log(`upload-parts-kill: PROVE_SEED=${seed}`, JSON.stringify(count))
    expect(count.kills).toBe(wanted.kills)
    // What was acknowledged once was never taken back.
    for (let n = 1; n < acknowledged.length; n++) expect(acknowledged[n]!).toBeGreaterThanOrEqual(acknowledged[n - 1]!)

    await using copies = storage().copies()
    const arrived = await readFile(await copies.upload(assetId))
    expect(createHash('sha256').update(arrived).digest('hex')).toBe(createHash('sha256').update(film).digest('hex'))
    const row = await service.database.asSystem((tx) =>
      tx.first(sql<object>`
        select state, received_bytes,
          (select count(*) from pgboss.job where name = 'ingest' and data->>'assetId' = ${assetId}) as jobs
        from asset where id = ${assetId}`),
    )
    expect(row).toEqual({ state: 'received', received_bytes: wanted.bytes, jobs: 1 })
  },
)
