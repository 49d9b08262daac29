import { readdir, readlink, truncate } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePerson, openService, type Person, type Service } from '../../test/service.ts'
import { fileUrl } from '../assets/addresses.ts'
import { sql } from '../kernel/database.ts'
import { storage } from '../outside/storage.ts'
import { onDisk } from '../../test/on-disk.ts'

// Who is not meant to be ended has more than a second, for a machine that lets nobody run for a while.
const timeouts = { headersMs: 1500, bodyMs: 400, uploadMs: 1500, uploadBytes: 1000, readMs: 400, checkMs: 50 }
const routes: { method: string; url: string }[] = []
let service: Service
let officer: Person
let port: number
beforeAll(async () => {
  service = await openService({}, undefined, {
    timeouts,
    onRoute: ({ method, url }) => routes.push(...[method].flat().map((one) => ({ method: one, url }))),
  })
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  port = (service.app.server.address() as AddressInfo).port
  officer = await makePerson(service, 'User')
})
afterAll(() => service.close())

describe('a request that arrives drop by drop', () => {
  it('is ended on every route that may take a body, signed in or not', async () => {
    const doors = routes.filter(({ method }) => !['HEAD', 'OPTIONS'].includes(method))
    doors.push(...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, url: '/no/such/address' })))
    // As a floor: the product has far more than a hundred.
    expect(doors.length).toBeGreaterThan(100)
    const stuck: string[] = []
    for (let at = 0; at < doors.length; at += 40)
      await Promise.all(
        doors.slice(at, at + 40).flatMap(({ method, url }) =>
          [officer.token, null].map(async (token) => {
            const path = url.replace(/:\w+/g, 'b5b9f0a2-4d6f-4c6a-9a53-0f4f5b0f8b51').replace('*', 'x')
            const { hasEnded } = await drip([`${method} ${path} HTTP/1.1`, ...headersOf(path, token), '', '{'])
            if (!(await hasEnded)) stuck.push(`${method} ${url}`)
          }),
        ),
      )
    expect(stuck).toEqual([])
  })

  it('is answered with 408 and words when its body is too slow', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const path = type.includes('json') ? '/identity/sign-in/password' : '/unsubscribe'
      const line = await drip([
        `POST ${path} HTTP/1.1`,
        'Host: x',
        `Content-Type: ${type}`,
        'Content-Length: 99',
        '',
        '{',
      ])
      expect(await line.hasEnded).toBe(true)
      expect(line.heard()).toMatch(/^HTTP\/1.1 408 /)
    }
    const inJson = await drip([
      'POST /identity/sign-in/password HTTP/1.1',
      ...headersOf('/identity/sign-in/password', null),
      '',
      '{',
    ])
    await inJson.hasEnded
    expect(inJson.heard()).toContain('"code":"request.too-slow"')
  })

  it('is answered with 408 when its headers are too slow or never come', async () => {
    const lines = await Promise.all([
      drip(['POST /identity/sign-in/password HTTP/1.1', 'Host: x', 'X-Slow: '], '.'),
      drip(['GET / HT'], ''),
      drip([''], ''),
    ])
    for (const line of lines) {
      expect(await line.hasEnded).toBe(true)
      expect(line.heard()).toMatch(/^HTTP\/1.1 408 /)
      expect(line.heard()).toContain('"code":"request.too-slow"')
    }
  })

  it('is answered with 408 when its chunks are too slow', async () => {
    const line = await drip(
      [
        'POST /identity/sign-in/password HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        '',
        '',
      ],
      '1\r\n \r\n',
    )
    expect(await line.hasEnded).toBe(true)
    expect(line.heard()).toMatch(/^HTTP\/1.1 408 /)
  })
})

describe('an upload', () => {
  it('that is too slow is ended with its bytes kept, and a steady one is not ended', async () => {
    const id = await begin(90_000)
    const head = [
      `PATCH /uploads/${id} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${officer.token}`,
      'Tus-Resumable: 1.0.0',
      'Content-Type: application/offset+octet-stream',
    ]
    const slow = await drip([...head, 'Upload-Offset: 0', 'Content-Length: 90000', '', 'begun'], '.')
    expect(await slow.hasEnded).toBe(true)
    const kept = await offsetOf(id)
    expect(kept).toBeGreaterThanOrEqual(5)
    // More than the least, for many times as long as a request may take otherwise.
    const steady = await drip(
      [...head, `Upload-Offset: ${kept}`, `Content-Length: ${90_000 - kept}`, '', ''],
      '.'.repeat(1000),
      90_000 - kept,
    )
    await expect.poll(() => steady.heard()).toMatch(/^HTTP\/1.1 204 /)
    steady.socket.destroy()
    expect(await offsetOf(id)).toBe(90_000)
  })

  it('that was refused cannot keep sending', async () => {
    const head = ['PATCH /uploads/x HTTP/1.1', 'Host: x', 'Tus-Resumable: 1.0.0']
    const line = await drip(
      [...head, 'Content-Type: application/offset+octet-stream', 'Content-Length: 900000000', '', ''],
      '.'.repeat(5000),
    )
    expect(await line.hasEnded).toBe(true)
    expect(line.heard()).toMatch(/^HTTP\/1.1 401 /)
  })
})

it('a download that nobody reads is ended and its file closed', async () => {
  const id = await begin(64 * 2 ** 20)
  await truncate(onDisk().quarantined(id), 64 * 2 ** 20)
  await storage().admit(id, 'original.mp4')
  await service.database.asSystem((tx) =>
    tx.count(sql`update asset set state = 'ready', derived = '{"original":"original.mp4"}' where id = ${id}`),
  )
  const ended = new Promise<ServerResponse>((resolve) =>
    service.app.server.once('request', (_request, response) => response.once('close', () => resolve(response))),
  )
  const line = connect(port, '127.0.0.1')
  line.pause()
  line.on('error', () => {})
  line.write(`GET ${fileUrl(id, 'original.mp4', new Date())} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const { statusCode, writableFinished } = await ended
  expect({ statusCode, writableFinished }).toEqual({ statusCode: 200, writableFinished: false })
  await expect.poll(async () => (await openFiles()).some((file) => file.includes(id))).toBe(false)
  line.destroy()
})

const headersOf = (path: string, token: string | null) => [
  'Host: x',
  `Content-Type: ${path.startsWith('/uploads') ? 'application/offset+octet-stream' : 'application/json'}`,
  'Content-Length: 9999',
  ...(path.startsWith('/uploads') ? ['Tus-Resumable: 1.0.0', 'Upload-Length: 1000', 'Upload-Offset: 0'] : []),
  ...(token ? [`Authorization: Bearer ${token}`] : []),
]

/** Sends these lines, then `drop` again and again until the other side hangs up, or `most` bytes have been sent. */
const drip = async (lines: readonly string[], drop = ' ', most = Number.POSITIVE_INFINITY) => {
  const socket: Socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => (heard += data)).on('error', () => {})
  // What is not ended after this many times its limit never is.
  const hasEnded = Promise.race([
    new Promise<boolean>((resolve) => socket.once('close', () => resolve(true))),
    sleep(20_000, false, { ref: false }),
  ])
  socket.write(lines.join('\r\n'))
  void (async () => {
    for (let sent = 0; !socket.destroyed && sent < most; sent += drop.length) {
      socket.write(drop.slice(0, most - sent))
      await sleep(30)
    }
  })()
  return { socket, hasEnded, heard: () => heard }
}

const tusHeaders = () => ({ authorization: `Bearer ${officer.token}`, 'tus-resumable': '1.0.0' })

const begin = async (size: number): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/uploads`, {
    method: 'POST',
    headers: { ...tusHeaders(), 'upload-length': String(size) },
  })
  expect(response.status).toBe(201)
  return response.headers.get('location')!.split('/').at(-1)!
}

const offsetOf = async (id: string): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/uploads/${id}`, { method: 'HEAD', headers: tusHeaders() })
  return Number(response.headers.get('upload-offset'))
}

/** Paths of the files that this process has open. */
const openFiles = async (): Promise<string[]> => {
  const handles = await readdir('/proc/self/fd')
  return Promise.all(handles.map((handle) => readlink(join('/proc/self/fd', handle)).catch(() => '')))
}
