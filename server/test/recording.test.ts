import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { it } from 'vitest'
import type { TakeLog } from '@clear-to-post/domain/take-log'
import { sendTake, type Ask } from '../../web/app/spool/send-take.ts'
import { closeSilentTakes } from '../src/assets/jobs.ts'
import { sql } from '../src/kernel/database.ts'
import { openDevice } from './device.ts'
import { openLine } from './line.ts'
import { startProcess, type Started } from './processes.ts'
import { isLong, seeded, seedOfRun } from './random.ts'
import { makePerson, openService } from './service.ts'

const KiB = 1024
/** Each kind of ending this often: of the page, of the server, of the line, and of the network for a while. */
const wanted = isLong ? { fragments: 600, each: 10, cuts: 30 } : { fragments: 60, each: 1, cuts: 4 }

it(
  `a take of ${wanted.fragments} fragments arrives once and whole over ${3 * wanted.each} kills and ${wanted.cuts} cut lines`,
  { tags: 'long', timeout: (isLong ? 20 : 3) * 60_000 },
  async ({ expect, onTestFinished }) => {
    const service = await openService()
    onTestFinished(() => service.close())
    const folder = mkdtempSync(join(tmpdir(), 'device-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const seed = seedOfRun()
    const random = seeded(seed)
    const person = await makePerson(service, 'User')
    const start = () =>
      startProcess('server/test/killed-server.ts', ['http', service.urls.appUrl, service.config.dataDir])
    let server: Started = await start()
    onTestFinished(async () => void (await server.end('SIGKILL')))
    const count = { pages: 0, servers: 0, offline: 0, cuts: 0, requests: 0 }
    let cutAfter = random.whole(1, 300 * KiB)
    const line = await openLine(
      () => Number(new URL(server.said).port),
      (_passed, near, length) => {
        cutAfter -= length
        if (cutAfter > 0 || count.cuts >= wanted.cuts) return 0
        count.cuts++
        cutAfter = random.whole(1, 300 * KiB)
        near.resetAndDestroy()
        return 0
      },
    )
    onTestFinished(line.close)

    let isOnline = true
    const ask: Ask = (path, init) => {
      count.requests++
      if (!isOnline) throw new TypeError('Failed to fetch')
      const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${person.token}` }
      return fetch(line.address + path, { ...init, headers })
    }

    const id = randomUUID()
    const said: Buffer[] = []
    let safeBytes = 0
    /** A page of the device, from its opening to its death. */
    const openPage = async () => {
      const spool = await openDevice(folder)
      const stop = new AbortController()
      const sending = sendTake(spool, id, { ask, signal: stop.signal, paceMs: 30 }).catch((error: unknown) => {
        if (!stop.signal.aborted) throw error
        return null
      })
      return { spool, sending, stop }
    }
    const first = await openDevice(folder)
    const about = { userId: person.id, fileName: 'Take.mp4', type: 'video/mp4', begunAt: Date.now() }
    await first.begin({ id, ...about })
    let page = await openPage()

    const due = (fragment: number, share: number, times: number) =>
      fragment > 0 &&
      (fragment + Math.floor(share * 10)) % Math.max(1, Math.floor(wanted.fragments / (times + 1))) === 0
    for (let fragment = 0; fragment < wanted.fragments; fragment++) {
      const bytes = Buffer.from(Array.from({ length: random.whole(1, 60 * KiB) }, () => random.whole(0, 255)))
      safeBytes = await page.spool.append(id, new Blob([bytes]), fragment * 1000, noted(fragment))
      said.push(bytes)
      await sleep(random.whole(0, 15))
      if (count.pages < wanted.each && due(fragment, 0.1, wanted.each)) {
        count.pages++
        page.stop.abort()
        await page.sending
        // It died while it wrote the next fragment, of which nobody said that it is safe.
        appendFileSync(join(folder, id), Buffer.alloc(random.whole(1, 30 * KiB), 7))
        page = await openPage()
      }
      if (count.servers < wanted.each && due(fragment, 0.4, wanted.each)) {
        count.servers++
        await server.end('SIGKILL')
        server = await start()
      }
      if (count.offline < wanted.each && due(fragment, 0.7, wanted.each)) {
        count.offline++
        isOnline = false
        setTimeout(() => (isOnline = true), random.whole(20, 200))
      }
    }
    isOnline = true
    await page.spool.end(id)
    const outcome = await page.sending
    const whole = Buffer.concat(said)
    expect(safeBytes).toBe(whole.length)
    expect(outcome).toMatchObject({ state: 'sent' })
    const rows = await service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string; state: string; file_size: number; take_log: unknown; jobs: number }>`
        select id, state, file_size, take_log, (
          select count(*) from pgboss.job where name = 'ingest' and data->>'assetId' = asset.id::text)::integer as jobs
        from asset where author_id = ${person.id}`),
    )
    const stands = { state: 'received', file_size: whole.length, take_log: noted(wanted.fragments - 1), jobs: 1 }
    expect(rows).toEqual([{ id: expect.any(String), ...stands }])
    const arrived = readFileSync(join(service.config.dataDir, 'media', 'quarantine', rows[0]!.id))
    expect(hashOf(arrived)).toBe(hashOf(whole))
    // Sent once more, by a page that never heard of the end, it is the same file.
    const late = await openPage()
    expect(await late.sending).toEqual(outcome)
    await late.spool.drop(id)
    expect(await late.spool.takesOf(person.id)).toEqual([])
    console.info(`seed ${seed}: ${JSON.stringify({ ...count, bytes: whole.length })}`)
    expect({ ...count, requests: 0 }).toMatchObject({
      pages: wanted.each,
      servers: wanted.each,
      offline: wanted.each,
    })
  },
)

/** What the recorder has noted with this fragment. */
const noted = (fragment: number): TakeLog => ({
  again: Array.from({ length: Math.floor(fragment / 10) }, (_, n) => ({ ms: n * 10_000, word: n })),
  shown: Array.from({ length: fragment }, (_, n) => [n, n * 1000]),
})

it('a device keeps a take until the service has every byte of it, whatever the service made of it before', async ({
  expect,
  onTestFinished,
}) => {
  const service = await openService()
  onTestFinished(() => service.close())
  const base = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const folder = mkdtempSync(join(tmpdir(), 'device-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const person = await makePerson(service, 'User')
  const spool = await openDevice(folder)
  let line: 'good' | 'dead' | 'dies with the end' = 'good'
  const ask: Ask = (path, init) => {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${person.token}` }
    if (line === 'dead' || (line !== 'good' && init.method === 'PATCH')) throw new TypeError('Failed to fetch')
    return fetch(base + path, { ...init, headers })
  }
  const kept = () =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string; state: string; received_bytes: number }>`
        select id, state, received_bytes from asset where author_id = ${person.id} order by uploaded_at, id`),
    )
  const closed = () => closeSilentTakes(service.database, new Date(Date.now() + 61 * 3_600_000))
  /** Sends until it has come to its end, or to where this line lets it come. */
  const send = async (id: string, until: () => Promise<boolean>) => {
    const stop = new AbortController()
    const sending = sendTake(spool, id, { ask, signal: stop.signal, paceMs: 20 }).catch(() => null)
    while (!(await until()) && (await Promise.race([sending, sleep(20)])) === undefined);
    return { sending, stop: () => (stop.abort(), sending) }
  }
  const film = async () => {
    const id = randomUUID()
    const about = { userId: person.id, fileName: 'Take.mp4', type: 'video/mp4', begunAt: Date.now() }
    await spool.begin({ id, ...about })
    await spool.append(id, new Blob([Buffer.alloc(700_000, 1)]), 1000)
    const sent = await send(id, async () => (await spool.find(id))!.sentBytes > 0)
    await sent.stop()
    await spool.append(id, new Blob([Buffer.alloc(900_000, 2)]), 2000)
    return id
  }
  const whole = hashOf(Buffer.concat([Buffer.alloc(700_000, 1), Buffer.alloc(900_000, 2)]))
  const hasAllOf = async (assetId: string) =>
    hashOf(readFileSync(join(service.config.dataDir, 'media', 'quarantine', assetId))) === whole

  // Its end was on its way when the network went; it came back after the service had closed the take with what it had.
  for (const isTold of [true, false]) {
    const id = await film()
    await spool.end(id)
    line = isTold ? 'dies with the end' : 'dead'
    const lost = await send(id, async () => !isTold || (await spool.find(id))!.isTold)
    await lost.stop()
    await closed()
    expect((await kept()).at(-1)).toMatchObject({ state: 'received', received_bytes: 700_000 })
    line = 'good'
    const outcome = await (await send(id, async () => false)).sending
    expect(outcome).toMatchObject({ state: 'sent' })
    expect(await hasAllOf((outcome as { assetId: string }).assetId)).toBe(true)
    // Asked once more, it is still that one.
    expect(await (await send(id, async () => false)).sending).toEqual(outcome)
    await spool.drop(id)
  }
  // All of it was there, and then the service knew nothing of it: a copy from before was put back.
  const id = await film()
  await spool.end(id)
  const first = (await (await send(id, async () => false)).sending) as { assetId: string }
  await service.database.asSystem((tx) => tx.count(sql`delete from asset where id = ${first.assetId}`))
  expect(await (await send(id, async () => false)).sending).toMatchObject({ state: 'refused' })
  expect((await spool.find(id))!.safeBytes).toBe(1_600_000)
  expect(hashOf(Buffer.from(await (await spool.file(id))!.arrayBuffer()))).toBe(whole)
})

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
