import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Socket, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mostOfOnePerson } from '../src/http/live.ts'
import { mostUnread } from '../src/http/event-line.ts'
import { sql } from '../src/kernel/database.ts'
import { makePerson, openService, type Person } from './service.ts'

/** Live streams that nobody reads, by lines of a real server: they hold no more than their bounds, however many are opened. */
const heldBytes = 3_000_000
/** A person's streams, and those that have just been told to end. */
const mostLines = mostOfOnePerson + 2

const open = async (env: Record<string, string>, bytes = heldBytes) => {
  const service = await openService(env, undefined, { timeouts: { heldBytes: bytes, checkMs: 50 } })
  onTestFinished(() => service.close())
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  const lines = new Set<Socket>()
  let connected = 0
  service.app.server.on('connection', (line: Socket) => {
    connected++
    lines.add(line.once('close', () => lines.delete(line)))
  })
  const unread = spawn('perl', [join(import.meta.dirname, 'unread-lines.pl'), String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void unread.kill())
  /** So many streams of each, by an address; they were opened when this answers, or refused. */
  const openUnread = async (people: readonly Person[], each: number) => {
    const asked = people.flatMap(({ token }, n) => {
      const head = `Host: x\r\nX-Forwarded-For: 203.0.${n % 3}.7\r\nAuthorization: Bearer ${token}`
      const request = Buffer.from(`GET /api/events HTTP/1.1\r\n${head}\r\n\r\n`).toString('hex')
      return Array.from({ length: each }, () => `127.${10 * (1 + (n % 3))}.0.1 ${request}\n`)
    })
    const before = connected
    unread.stdin.write(`${asked.join('')}\n`)
    await once(unread.stdout, 'data')
    await expect.poll(() => connected - before).toBe(asked.length)
    await expect.poll(() => [...lines].filter(({ bytesWritten }) => bytesWritten === 0).length).toBe(0)
  }
  /** As many events, of so many bytes each, three for a letter. */
  const tell = (people: readonly Person[], events: number, bytes: number) =>
    service.database.asSystem((tx) =>
      tx.count(sql`
        insert into news (told) select json_build_object('type', 'asset', 'userId', id, 'assetId', ${randomUUID()}::text,
          'projectId', null, 'state', 'checking', 'progress', null, 'stage', repeat('山', ${Math.ceil(bytes / 3)}::integer))
        from unnest(${people.map(({ id }) => id)}::uuid[]) id, generate_series(1, ${events}::integer)`),
    )
  const waiting = () => [...lines].reduce((sum, { writableLength }) => sum + writableLength, 0)
  const reader = await makePerson(service, 'User')
  const heard = await listen(port, reader)
  return { service, lines, openUnread, tell, waiting, reader, heard }
}

/** A stream that is read, from a network of its own. */
const listen = async (port: number, { token }: Person) => {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '198.51.100.9' }
  const left = new AbortController()
  const { body, headers: told } = await fetch(`http://127.0.0.1:${port}/api/events`, { headers, signal: left.signal })
  onTestFinished(() => left.abort())
  const heard = { events: 0, isOver: false, hasBegun: false, line: told.get('connection') }
  void (async () => {
    for await (const part of body!) {
      const text = Buffer.from(part).toString()
      heard.events += text.split('event: asset').length - 1
      heard.hasBegun ||= text.includes('event: again')
    }
  })()
    .catch(() => {})
    .finally(() => (heard.isOver = true))
  // What is committed from now on is heard.
  await expect.poll(() => heard.hasBegun).toBe(true)
  return heard
}

describe.each([
  ['without a proxy', {}],
  ['behind a proxy', { TRUST_PROXY: 'loopback' }],
])('live streams that are never read, %s', (_way, env: Record<string, string>) => {
  it.each([1, 9])(
    'keep lines and bytes of %i people within the bounds, and one that is read goes on',
    async (count) => {
      const { service, lines, openUnread, tell, waiting, reader, heard } = await open(env)
      const people = await Promise.all(Array.from({ length: count }, () => makePerson(service, 'User')))
      for (let wave = 1; wave <= 4; wave++) {
        await openUnread(people, mostOfOnePerson)
        await tell(people, 8, 24_000)
        await tell([reader], 1, 24_000)
        await expect.poll(() => heard.events).toBe(wave)
        expect(lines.size).toBeLessThanOrEqual(1 + count * mostLines)
        expect(waiting()).toBeLessThanOrEqual(heldBytes)
        expect(waiting()).toBeGreaterThan(heldBytes / 4)
      }
      expect(heard.isOver).toBe(false)
    },
  )
})

it('a live stream that is to hear its last word is counted until its line has closed', async () => {
  const { service, lines, openUnread, tell, waiting, reader, heard } = await open({})
  const person = await makePerson(service, 'User')
  await openUnread([person], mostOfOnePerson)
  // Until a little more comes than the kernel takes: so much is waited for at the end.
  for (let told = 1; waiting() === 0; told++) {
    await tell([person, reader], 1, 1500)
    await expect.poll(() => heard.events).toBe(told)
  }
  await openUnread([person], mostOfOnePerson)
  expect(lines.size).toBeLessThanOrEqual(1 + mostLines)
})

it('unread text of a live stream is bounded in bytes, also of letters that have three', async () => {
  const { service, lines, openUnread, tell, waiting } = await open({}, 100 * mostUnread)
  const person = await makePerson(service, 'User')
  await openUnread([person], 1)
  await tell([person], 8, 24_000)
  await expect.poll(waiting).toBeGreaterThan(mostUnread / 2)
  await tell([person], 8, 24_000)
  await expect.poll(() => lines.size).toBe(1)
})

it('the line of a live stream ends with it, so that none stands idle for a minute', async () => {
  const { service, lines, openUnread, heard } = await open({})
  expect(heard.line).toBe('close')
  const person = await makePerson(service, 'User')
  await openUnread([person], 5)
  expect(lines.size).toBe(1 + 5)
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set security_stamp = security_stamp + 1 where id = ${person.id}`),
  )
  await expect.poll(() => lines.size).toBe(1)
})

/** Where an answer is taken out of Fastify's hands, or written past it, and how what waits there is counted. */
const ofStreams = 'live streams: what waits is told to `holds`, and bounded for each'
const writers: Record<string, string> = {
  'http/event-line.ts: const out = reply.raw': ofStreams,
  'http/event-line.ts: reply.hijack()': ofStreams,
  'http/event-line.ts: out.write(bytes, () => {': ofStreams,
  'http/event-line.ts: out.end()': ofStreams,
  "http/media.ts: zip.on('error', (error) => reply.raw.destroy(error as Error))": 'writes nothing: it ends the line',
  'http/media.ts: const openOneByOne = ({ raw }: FastifyReply): ((of: () => Promise<Opened>) => Promise<Readable>) => {':
    'writes nothing: it hears of the end',
  "http/protocol.ts: socket.end(`HTTP/1.1 ${status} ${body.kind}\\r\\n${lines.join('')}\\r\\n${text}`)":
    'what is no request: a short page or less, once for a line, which ends with it',
  'main/app.ts: if (!keepAddress(request)) return reply.hijack()': 'writes nothing: the line was reset',
}

it('every place that writes past an answer’s own way is named, with how its unread bytes are counted', () => {
  const folder = join(import.meta.dirname, '../src')
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.startsWith('stand-ins/'))
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line) && writesPast.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  expect(found.filter((line) => !(line in writers))).toEqual([])
  expect(Object.keys(writers).filter((line) => !found.includes(line))).toEqual([])
})
const writesPast =
  /\.hijack\(|= reply\.raw(?!\.)|\{ raw \}: FastifyReply\b|reply\.raw\.(write|end|destroy|pipe|flush|setHeader)|\b(out|socket|response|raw)\.(end|write)\(|\.pipe\((out|reply)/
