import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { hintEveryMs } from '../src/http/live-audience.ts'
import { isLong } from './random.ts'
import { makePerson, makeTenant, openService, type Person, type Service } from './service.ts'

/**
 * Open pages of many people at once, over HTTP on this machine: staff of companies and of the whole service, half of them with a
 * list on the screen and half with one video. A thread of its own writes events as another host's commits do, `EVENTS` a second
 * for `SECONDS`, to `STREAMS`. Prints how many came and how late.
 */
const streams = Number(process.env['STREAMS'] ?? (isLong ? 2000 : 60))
const seconds = Number(process.env['SECONDS'] ?? (isLong ? 30 : 3))
const most = Number(process.env['EVENTS'] ?? (isLong ? 2000 : 100))
const companies = Math.max(3, Math.round(streams / 20))
const videosOfEach = 40

type Told = { id: string; seq: number; at: number }
type Stream = {
  person: Person
  /** The video on its screen; without one it is a list. */
  video?: string
  heard: { at: number; ids: readonly string[]; seq?: number; isMore?: boolean }[]
}

it('many streams hear of what they watch and of no other company, each list at most once in two seconds', async () => {
  const connections = { total: streams + 100, perNetwork: streams + 100, refused: 0 }
  const service = await openService({}, undefined, { connections })
  onTestFinished(() => service.close())
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const tenants = await Promise.all(Array.from({ length: companies }, () => makeTenant(service)))
  const videos = tenants.map(() => Array.from({ length: videosOfEach }, () => randomUUID()))
  const companyOf = new Map<string, string>(videos.flatMap((ids, at) => ids.map((id) => [id, tenants[at]!] as const)))
  const open = await openAll(service, tenants, videos)

  const told = await write(service.urls.superuserUrl, { tenants, videos, seconds, most })
  const reaches = ({ person }: Stream, id: string) => person.tenantId === null || person.tenantId === companyOf.get(id)
  /** Of an event that concerns this stream: how long it took to be heard, in ms; undefined while it has not been. */
  const delayOf = (stream: Stream, { id, seq, at }: Told): number | undefined => {
    const { video, heard } = stream
    const found = video
      ? heard.find((one) => one.seq === seq && one.ids[0] === id)
      : heard.find((one) => one.at >= at && (one.isMore === true || one.ids.includes(id)))
    return found && found.at - at
  }
  // Of lists as many as can be looked at in a moment: of each company and of the service.
  const lists = open.filter(({ video }) => !video).slice(0, 40)
  const singles = Map.groupBy(
    open.filter(({ video }) => video),
    ({ video }) => video!,
  )
  const delays = () => ({
    singles: told.flatMap((one) =>
      (singles.get(one.id) ?? []).filter((stream) => reaches(stream, one.id)).map((stream) => delayOf(stream, one)),
    ),
    lists: lists.flatMap((stream) => told.filter(({ id }) => reaches(stream, id)).map((one) => delayOf(stream, one))),
  })
  const unheard = () =>
    Object.values(delays())
      .flat()
      .filter((delay) => delay === undefined).length
  await expect.poll(unheard, { timeout: 120_000, interval: 500 }).toBe(0)

  const { singles: ofSingles, lists: ofLists } = delays()
  const hints = open
    .filter(({ video }) => !video)
    .flatMap(({ heard }) => heard.map(({ at }, n) => at - (heard[n - 1]?.at ?? -Infinity)))
  console.log(
    `${streams} streams of ${companies} companies · ${told.length} events, ${Math.round(told.length / seconds)} a second · ` +
      `a video's: ${ofSingles.length} heard, ${spread(ofSingles)} · a list's: ${hints.length} hints, ${spread(ofLists)}`,
  )
  expect(ofSingles.length).toBeGreaterThan(0)
  expect(ofLists.length).toBeGreaterThan(0)
  const strangers = open.flatMap((stream) =>
    stream.heard
      .flatMap(({ ids }) => ids)
      .filter((id) => !reaches(stream, id) || (stream.video && stream.video !== id)),
  )
  expect(strangers).toEqual([])
  // What the network and this busy process gather in between comes a little closer together than it was sent.
  expect(hints.filter((gap) => gap < hintEveryMs / 2)).toEqual([])
}, 400_000)

/** Opens all of them: a tenth serves every company, the others one each. */
const openAll = async (service: Service, tenants: string[], videos: string[][]): Promise<Stream[]> => {
  const { port } = service.app.server.address() as AddressInfo
  const open: Stream[] = []
  const lines: { destroy: () => void }[] = []
  onTestFinished(() => lines.forEach((one) => one.destroy()))
  let person: Person | undefined
  // A stream may be told to ask again more than once.
  const ready = new Set<Stream>()
  for (let n = 0; n < streams; n++) {
    // Nobody has more than ten.
    if (n % 10 === 0 || !person)
      person = await makePerson(service, n % 20 ? 'QA' : 'Editor', {
        tenantId: n % 100 ? tenants[(n / 10) % tenants.length]! : null,
      })
    const company = person.tenantId === null ? n % tenants.length : tenants.indexOf(person.tenantId)
    const stream: Stream = { person, heard: [], ...(n % 2 && { video: videos[company]![n % videosOfEach]! }) }
    open.push(stream)
    const path = `/api/events?watch=${stream.video ? `project:${stream.video}` : 'projects'}`
    const request = get({ port, path, headers: { authorization: `Bearer ${person.token}` }, agent: false })
    lines.push(request.on('error', () => {}))
    request.on('response', (response) => {
      let rest = ''
      response.on('error', () => {}).setEncoding('utf8')
      response.on('data', (part: string) => {
        const parts = (rest + part).split('\n\n')
        rest = parts.pop()!
        for (const text of parts) {
          const data = text.split('\ndata: ')[1]
          if (data === undefined) continue
          const event = JSON.parse(data) as {
            type: string
            projectId: string
            seq: number
            projectIds: string[]
            isMore: boolean
          }
          if (event.type === 'again') ready.add(stream)
          else if (event.type === 'project')
            stream.heard.push({ at: Date.now(), ids: [event.projectId], seq: event.seq })
          else stream.heard.push({ at: Date.now(), ids: event.projectIds, isMore: event.isMore })
        }
      })
    })
    // The proof is of open streams, not of opening them all at once.
    if (n % 20 === 19) await expect.poll(() => ready.size, { timeout: 60_000, interval: 5 }).toBe(n + 1)
  }
  await expect.poll(() => ready.size, { timeout: 60_000 }).toBe(streams)
  return open
}

/** Writes events as the product's triggers do, five in each commit, and answers them with the time before their commit. */
const write = (url: string, job: { tenants: string[]; videos: string[][]; seconds: number; most: number }) => {
  const worker = new Worker(
    `const { workerData: { url, tenants, videos, seconds, most }, parentPort } = require('node:worker_threads')
    const pg = require('pg')
    const told = []
    const end = Date.now() + seconds * 1000
    const begun = Date.now()
    const line = async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      while (Date.now() < end) {
        const due = ((Date.now() - begun) / 1000) * most
        if (told.length >= due) { await new Promise((resolve) => setTimeout(resolve, 2)); continue }
        const some = Array.from({ length: 5 }, () => {
          const company = Math.floor(Math.random() * tenants.length)
          const id = videos[company][Math.floor(Math.random() * videos[company].length)]
          const one = { id, seq: told.length, at: Date.now() }
          told.push(one)
          return { type: 'project', projectId: id, seq: one.seq, status: 0, verb: 'create', userId: null, tenantId: tenants[company] }
        })
        await client.query('insert into news (told) select json_array_elements($1::json)', [JSON.stringify(some)])
      }
      await client.end()
    }
    Promise.all([1, 2, 3, 4].map(line)).then(() => parentPort.postMessage(told))`,
    { eval: true, workerData: { url, ...job } },
  )
  return new Promise<Told[]>((resolve, reject) => worker.once('message', resolve).once('error', reject))
}

const spread = (delays: readonly (number | undefined)[]): string => {
  const sorted = delays.map(Number).toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, at most ${at(1)} ms`
}
