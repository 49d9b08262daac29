// @module-tag long
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Upload } from 'tus-js-client'
import { it } from 'vitest'
import { sql } from '../src/kernel/database.ts'
import { openLine } from './line.ts'
import { noise } from './noise.ts'
import { startProcess, type Started } from './processes.ts'
import { isLong, seeded, seedOfRun } from './random.ts'
import { makePerson, openService } from './service.ts'

const MiB = 2 ** 20
const wanted = isLong
  ? { bytes: 1024 * MiB, chunk: 4 * MiB, kills: 20, cuts: 200, minutes: 20 }
  : { bytes: 8 * MiB, chunk: 1 * MiB, kills: 2, cuts: 5, minutes: 5 }

it(
  `${wanted.bytes / MiB} MiB arrive whole over ${wanted.cuts} broken connections and ${wanted.kills} killed servers`,
  async ({ expect, onTestFinished }) => {
    const service = await openService()
    onTestFinished(() => service.close())
    const seed = seedOfRun()
    const random = seeded(seed)
    const person = await makePerson(service, 'User')
    const bytes = noise(wanted.bytes, random.next)
    const start = () =>
      startProcess('server/test/killed-server.ts', ['http', service.urls.appUrl, service.config.dataDir])
    let server: Started = await start()
    const count = { kills: 0, cuts: 0, requests: 0 }
    let acknowledged = 0
    let arrived = false

    // Cuts and kills come by the share of the file that is through, so that they fall all over it however fast it goes.
    const dueBy = (events: number) => Math.floor((acknowledged / wanted.bytes) * events * 1.1) + 1
    let cutAfter = random.whole(1, wanted.chunk)
    const line = await openLine(
      () => Number(new URL(server.said).port),
      (_passed, near, length) => {
        cutAfter -= length
        if (cutAfter > 0 || count.cuts >= Math.min(wanted.cuts, dueBy(wanted.cuts))) return 0
        count.cuts++
        cutAfter = random.whole(1, wanted.chunk)
        near.resetAndDestroy()
        return 0
      },
    )
    onTestFinished(line.close)

    const killer = async () => {
      while (!arrived) {
        await sleep(random.whole(5, 60))
        if (count.kills >= Math.min(wanted.kills, dueBy(wanted.kills))) continue
        count.kills++
        await server.end('SIGKILL')
        server = await start()
      }
    }
    const killing = killer()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const upload = new Upload(bytes as never, {
      endpoint: `${line.address}/uploads`,
      headers: { authorization: `Bearer ${person.token}` },
      metadata: { filename: 'killed.mp4' },
      chunkSize: wanted.chunk,
      retryDelays: Array(10_000).fill(25),
      onBeforeRequest: async () => {
        count.requests++
        // The last part waits until everything has happened that was to happen.
        const last = acknowledged + 2 * wanted.chunk >= wanted.bytes
        while (last && count.kills < wanted.kills) await sleep(20)
      },
      onAfterResponse: (request, response) => {
        const offset = Number(response.getHeader('Upload-Offset') ?? Number.NaN)
        if (response.getStatus() >= 400 || Number.isNaN(offset)) return
        if (offset < acknowledged) reject(new Error(`${request.getMethod()} answers ${offset} after ${acknowledged}`))
        acknowledged = offset
      },
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
    await promise.finally(() => (arrived = true))
    await killing
    console.log(`upload-kill: PROVE_SEED=${seed}`, JSON.stringify(count))

    const id = upload.url!.split('/').at(-1)!
    const path = join(service.config.dataDir, 'media', 'quarantine', id)
    expect((await stat(path)).size).toBe(wanted.bytes)
    expect(await hashOfFile(path)).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(count.kills).toBe(wanted.kills)
    expect(count.cuts).toBeGreaterThanOrEqual(Math.floor(wanted.cuts * 0.9))
    const row = await service.database.asSystem((tx) =>
      tx.first(sql<object>`
        select state, received_bytes,
          (select count(*) from pgboss.job where name = 'ingest' and data->>'assetId' = ${id}) as jobs
        from asset where id = ${id}`),
    )
    expect(row).toEqual({ state: 'received', received_bytes: wanted.bytes, jobs: 1 })
    await server.end('SIGKILL')
  },
  wanted.minutes * 60_000,
)

const hashOfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  const stream = createReadStream(path)
  stream.on('data', (chunk) => hash.update(chunk))
  await once(stream, 'end')
  return hash.digest('hex')
}
