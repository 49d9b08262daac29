// npm run bench:storage: what a bucket costs beside the disk: a file put in pieces, checked in, read whole, and read by its
// first bytes, as a player begins. The store runs on this machine too (server/test/object-store.sh), so that the ratio says
// what our side does beside a disk, and nothing about a line to a store elsewhere.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../server/src/kernel/database.ts'
import { openQueue } from '../server/src/kernel/queue.ts'
import { bucketStorage } from '../server/src/outside/bucket-storage.ts'
import { diskStorage } from '../server/src/outside/disk-storage.ts'
import type { Storage } from '../server/src/outside/storage.ts'
import { migrate } from '../server/src/postgres/migrate.ts'
import { startPostgres } from '../server/src/postgres/postgres.ts'
import { prepareQueue } from '../server/src/kernel/queue.ts'
import { openObjectStore } from '../server/test/object-store.ts'

const { values: flags } = parseArgs({
  options: { megabytes: { type: 'string', default: '64' }, rounds: { type: 'string', default: '3' } },
})
const film = randomBytes(Number(flags.megabytes) * 1024 ** 2)
const store = await openObjectStore()
if (!store) process.exit(1)
const root = await mkdtemp(join(tmpdir(), 'clear-to-post-bench-'))
const postgres = await startPostgres({ dataDir: root, throwaway: true })
const { appUrl } = await migrate({ ownerUrl: postgres.url })
await prepareQueue(postgres.url)
const queue = await openQueue(appUrl)
const database = openDatabase(appUrl, { queue, max: 4 })
const places: Record<string, Storage> = {
  disk: await diskStorage(join(root, 'disk')),
  bucket: await bucketStorage({ database, root: join(root, 'copies'), place: await store.makeBucket() }),
}
const best: Record<string, Record<string, number>> = { disk: {}, bucket: {} }
for (let round = 0; round < Number(flags.rounds); round++)
  for (const [name, place] of Object.entries(places)) {
    const id = randomUUID()
    const timed = async (what: string, work: () => Promise<unknown>) => {
      const began = performance.now()
      await work()
      best[name]![what] = Math.min(best[name]![what] ?? Infinity, performance.now() - began)
    }
    await place.create(id)
    await timed('upload', () => place.append(id, 0, chunks()))
    await timed('admit', () => place.admit(id, 'original.mp4'))
    await timed('read whole', () => read(place, id))
    await timed('first 64 kB', () => read(place, id, 0, 65_535))
    await place.remove(id)
  }
console.log(`${flags.megabytes} MiB, best of ${flags.rounds}; load ${loadavg()[0]!.toFixed(1)}`)
for (const what of Object.keys(best.disk!)) {
  const [disk, bucket] = [best.disk![what]!, best.bucket![what]!]
  console.log(
    `${what.padEnd(12)} disk ${disk.toFixed(1).padStart(7)} ms   bucket ${bucket.toFixed(1).padStart(7)} ms   × ${(bucket / disk).toFixed(1)}`,
  )
}
await queue.close()
await database.close()
await postgres.stop()
await store.close()
await rm(root, { recursive: true, force: true })

async function* chunks() {
  for (let at = 0; at < film.length; at += 65_536) yield film.subarray(at, at + 65_536)
}

async function read(place: Storage, id: string, start?: number, end?: number) {
  const found = await place.open(id, 'original.mp4')
  let bytes = 0
  for await (const some of found!.stream(start, end)) bytes += (some as Buffer).length
  return bytes
}
