import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { edits } from '@clear-to-post/contract/edits'
import { makeClip } from '@clear-to-post/media/make-clip'
import { ingestAsset } from '../src/assets/ingest.ts'
import { openDatabase, sql, type Database } from '../src/kernel/database.ts'
import { openQueue, type Queue } from '../src/kernel/queue.ts'
import { makeRender } from '../src/edits/render.ts'
import { openBucket, type Bucket, type BucketPlace } from '../src/outside/bucket.ts'
import { bucketStorage } from '../src/outside/bucket-storage.ts'
import { storage } from '../src/outside/storage.ts'
import { freshDatabase, type TestDatabase } from './database.ts'
import { jobContext } from './mails.ts'
import { openObjectStore } from './object-store.ts'
import { isLong } from './random.ts'
import { openRenders } from './renders.ts'
import { callAs, headersOf, makeOfficer, openService, type OpenedService, type Person } from './service.ts'
import { storageSuite } from './storage-suite.ts'

const store = await openObjectStore()
afterAll(() => store?.close())
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.skipIf(!store)('with a real object store', () => {
  let urls: TestDatabase
  let database: Database
  let queue: Queue
  const folders: string[] = []
  beforeAll(async () => {
    urls = await freshDatabase()
    queue = await openQueue(urls.appUrl)
    database = openDatabase(urls.appUrl, { queue, max: 10 })
  })
  afterAll(async () => {
    await queue.close()
    await database.close()
    await urls.drop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })
  afterEach(() => void vi.useRealTimers())

  const openHere = async (place: BucketPlace, bucket?: Bucket) => {
    const root = await mkdtemp(join(tmpdir(), 'clear-to-post-bucket-'))
    folders.push(root)
    return bucketStorage({ database, root, place, ...(bucket && { bucket }) })
  }

  storageSuite('in a bucket', async () => openHere(await store!.makeBucket()))

  it('an upload whose line dies at one host goes on at another one, and no byte is lost or replaced', async () => {
    const place = await store!.makeBucket()
    const [one, other] = [await openHere(place), await openHere(place)]
    let late = 0
    for (let round = 0; round < (isLong ? 200 : 12); round++) {
      const id = randomUUID()
      const film = randomBytes(200_000)
      const dying = async function* () {
        for (let at = 0; at < film.length; at += 40_000) {
          yield film.subarray(at, at + 40_000)
          await sleep(Math.random() * 12)
          if (Math.random() < 0.3) throw new Error('the line died')
        }
      }
      await one.create(id)
      // As a connection begins: it asks how far the upload came, and is its writer from then on.
      await one.received(id, { takeOver: true })
      const first = one.append(id, 0, dying()).catch((error: Error) => error)
      await sleep(Math.random() * 60)
      const at = (await other.received(id, { takeOver: true }))!
      await other.append(
        id,
        at,
        (async function* () {
          yield film.subarray(at)
        })(),
      )
      const ended = await first
      if (ended instanceof Error && /another connection/.test(ended.message)) late++
      await using copies = other.copies()
      expect(hashOf(await readFile(await copies.upload(id)))).toBe(hashOf(film))
      await other.remove(id)
    }
    expect(late).toBeGreaterThan(0)
    for await (const left of openBucket(place).list('')) expect(left).toEqual([])
  })

  it('a file that is removed while something of it is put leaves nothing that no row names', async () => {
    const place = await store!.makeBucket()
    const bucket = openBucket(place)
    const other = await openHere(place)
    const film = randomBytes(5000)
    const bytes = async function* () {
      yield film
    }
    // The putting at which the other host removes the file: just before it, just after it, or listing before and forgetting after.
    for (const when of ['before', 'after', 'around'] as const)
      for (let nth = 0; nth < 3; nth++) {
        const id = randomUUID()
        let puts = 0
        const [listed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        const slow = await openHere(place, {
          ...bucket,
          list: async function* (prefix) {
            yield* bucket.list(prefix)
            if (!prefix.startsWith('assets/')) return
            listed.resolve()
            await goOn.promise
          },
        })
        let removing: Promise<void> | undefined
        const meanwhile = async <T>(put: () => Promise<T>): Promise<T> => {
          const isNow = puts++ === nth
          if (isNow && when === 'before') await other.remove(id)
          if (isNow && when === 'around') {
            removing = slow.remove(id)
            await listed.promise
          }
          const answer = await put()
          if (isNow && when === 'after') await other.remove(id)
          return answer
        }
        const one = await openHere(place, {
          ...bucket,
          put: (...of) => meanwhile(() => bucket.put(...of)),
          putFile: (...of) => meanwhile(() => bucket.putFile(...of)),
        })
        const work = async () => {
          await one.create(id)
          await one.received(id, { takeOver: true })
          await one.append(id, 0, bytes())
          await one.admit(id, 'original.mp4')
          const folder = await one.makeFolder(id, '1')
          await writeFile(join(folder, 'proxy.mp4'), film)
          await one.settle(id, '1/proxy.mp4')
          await writeFile(join(folder, 'poster.jpg'), film)
          await one.settle(id, '1/poster.jpg')
        }
        await work().catch(() => {})
        goOn.resolve()
        await removing
        expect(puts).toBeGreaterThan(nth)
        // As the hourly sweep does with what no file of the product's is about.
        for await (const ids of other.untouched(new Date(Date.now() + 60_000)))
          for (const left of ids) await other.remove(left)
        const keys: string[] = []
        for await (const page of bucket.list('')) keys.push(...page.map(({ key }) => key))
        expect(keys, `removed ${when} putting ${nth}`).toEqual([])
      }
  })

  it('a wrong key, a bucket that is not there and a clock that is wrong are said in words', async () => {
    const place = await store!.makeBucket()
    const check = (more: Partial<BucketPlace>) => openBucket({ ...place, ...more }).check()
    expect(Math.abs((await check({})).aheadMs)).toBeLessThan(30_000)
    await expect(check({ secret: 'wrong' })).rejects.toThrow('secret is wrong')
    await expect(check({ keyId: 'nobody' })).rejects.toThrow('does not know our key')
    await expect(check({ url: `${place.url}-not` })).rejects.toThrow('no bucket of this name')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    await expect(check({})).rejects.toThrow('too far apart')
  })

  describe('the product', { timeout: 240_000 }, () => {
    let service: OpenedService
    let base: string
    let line: Awaited<ReturnType<typeof openLine>>
    let officer: Person
    let folder: string
    beforeAll(async () => {
      const place = await store!.makeBucket()
      line = await openLine(new URL(place.url))
      service = await openService({
        STORAGE: 'bucket',
        BUCKET_URL: `${line.origin}${new URL(place.url).pathname}`,
        BUCKET_KEY_ID: place.keyId,
        BUCKET_SECRET: place.secret,
      })
      base = await service.app.listen({ port: 0, host: '127.0.0.1' })
      officer = await makeOfficer(service)
      folder = await mkdtemp(join(tmpdir(), 'clear-to-post-film-'))
      await makeClip({ out: join(folder, 'take.mp4'), seconds: 2, width: 180, height: 320, hue: 40 })
    })
    afterAll(async () => {
      await service.close()
      line.close()
      await rm(folder, { recursive: true, force: true })
    })
    /** As on another host, which has no copies. */
    const loseCopies = () =>
      Promise.all(
        ['copies', 'work'].map((name) =>
          rm(join(service.config.dataDir, 'media', name), { recursive: true, force: true }),
        ),
      )
    const tus = (method: string, path: string, headers: Record<string, string>, body?: Uint8Array) =>
      fetch(base + path, {
        method,
        headers: {
          ...headersOf(officer),
          'tus-resumable': '1.0.0',
          ...(body ? { 'content-type': 'application/offset+octet-stream' } : {}),
          ...headers,
        },
        ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}),
      })

    it('takes a film in, waits while the bucket is away, checks it, and plays it by ranges', async () => {
      const film = await readFile(join(folder, 'take.mp4'))
      const half = Math.floor(film.length / 2)
      const begun = await tus('POST', '/uploads', {
        'upload-length': String(film.length),
        'upload-metadata': `filename ${Buffer.from('take.mp4').toString('base64')}`,
      })
      expect(begun.status).toBe(201)
      const path = begun.headers.get('location')!
      const id = path.split('/').at(-1)!
      expect((await tus('PATCH', path, { 'upload-offset': '0' }, film.subarray(0, half))).status).toBe(204)

      line.cut()
      const refused = await tus('PATCH', path, { 'upload-offset': String(half) }, film.subarray(half))
      expect(refused.status).toBe(503)
      expect(((await refused.json()) as { message: string }).message).toMatch(/What you have sent so far is kept/)
      // What was acknowledged is known without the bucket.
      expect((await tus('HEAD', path, {})).headers.get('upload-offset')).toBe(String(half))
      line.mend()
      expect((await tus('PATCH', path, { 'upload-offset': String(half) }, film.subarray(half))).status).toBe(204)

      // A check that cannot reach the bucket says nothing about the film.
      line.cut()
      await expect(ingestAsset(jobContext(service), id)).rejects.toThrow('does not answer')
      // Nor is it given up when its tries are used up: another one waits for a minute.
      await ingestAsset(jobContext(service, { lastAttempt: true }), id)
      const waiting = await service.database.asSystem((tx) =>
        tx.first(sql<{ n: number }>`
          select count(*)::integer as n from pgboss.job
          where name = 'ingest' and data->>'assetId' = ${id} and start_after > now() + interval '30 s'`),
      )
      expect(waiting).toEqual({ n: 1 })
      line.mend()
      await ingestAsset(jobContext(service), id)
      const asset = await callAs(service, officer)(assets.find, { params: { assetId: id } })
      expect(asset).toMatchObject({ state: 'ready', type: 'video', width: 180 })
      await loseCopies()
      const whole = await fetch(base + asset.assetUrl)
      expect(whole.headers.get('accept-ranges')).toBe('bytes')
      expect(hashOf(await whole.bytes())).toBe(hashOf(film))
      const part = await fetch(base + asset.assetUrl, { headers: { range: 'bytes=100-299' } })
      expect(part.status).toBe(206)
      expect(Buffer.compare(await part.bytes(), film.subarray(100, 300))).toBe(0)
      expect((await fetch(base + asset.posterUrl!)).status).toBe(200)
    })

    it('renders a film on one host and goes on with its pieces on another one', { tags: 'long' }, async () => {
      const renders = await openRenders(service)
      const { project, revision } = await renders.prepare(0)
      const ask = async () =>
        (await callAs(service, renders.editor)(edits.render, { params: { projectId: project.id }, body: { revision } }))
          .id
      await loseCopies()
      const first = await ask()
      await makeRender(jobContext(service), first)
      const kept = await service.database.asSystem((tx) =>
        tx.first(sql<{ state: string; asset_id: string }>`select state, asset_id from render where id = ${first}`),
      )
      expect(kept).toMatchObject({ state: 'done' })
      await ingestAsset(jobContext(service), kept!.asset_id)

      await loseCopies()
      const pieces = await storage().area('chunks').list(project.id)
      expect(pieces.length).toBeGreaterThan(6)
      await service.database.asSystem((tx) =>
        tx.count(sql`update render set state = 'queued', asset_id = null where id = ${first}`),
      )
      await makeRender(jobContext(service), first)
      // The same pieces were used: none was made anew under another name.
      expect(await storage().area('chunks').list(project.id)).toEqual(pieces)
      const again = await service.database.asSystem((tx) =>
        tx.first(sql<{ state: string }>`select state from render where id = ${first}`),
      )
      expect(again).toEqual({ state: 'done' })
      await renders.close()
    })
  })
})

/** A way to the store that may be cut. */
const openLine = async (to: URL) => {
  let isCut = false
  const open = new Set<{ destroy: () => void }>()
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const far = connect(Number(to.port), to.hostname)
    for (const end of [client, far]) {
      open.add(end)
      end
        .on('error', () => {})
        .on('close', () => {
          open.delete(end)
          client.destroy()
          far.destroy()
        })
    }
    client.pipe(far).pipe(client)
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const end = () => open.forEach((one) => one.destroy())
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true
      end()
    },
    mend: () => void (isCut = false),
    close: () => {
      end()
      server.close()
    },
  }
}
