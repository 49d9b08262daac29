import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBucket } from './bucket.ts'
import { StorageAway, StorageFull } from './storage.ts'

/** A store that answers as the test says, and a bucket on it whose patience is short. */
const bucketOn = async (answer: RequestListener) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/films`
  return openBucket({ url, region: 'us-east-1', keyId: 'key', secret: 'secret' }, { patienceMs: 300, tries: 2 })
}
const saying =
  (status: number, code = ''): RequestListener =>
  (request, response) => {
    request.resume()
    response.writeHead(status).end(code && `<Error><Code>${code}</Code></Error>`)
  }
const bytes = new TextEncoder().encode('film')
const read = async (found: AsyncIterable<Uint8Array> | undefined) => Buffer.concat(await Array.fromAsync(found!))

describe('a bucket', () => {
  it.each([
    [saying(507), StorageFull, 'the bucket is full'],
    [saying(403, 'QuotaExceeded'), StorageFull, 'the bucket is full'],
    [saying(403, 'SignatureDoesNotMatch'), StorageAway, 'secret is wrong'],
    [saying(403, 'RequestTimeTooSkewed'), StorageAway, 'too far apart'],
    [saying(403, 'AccessDenied'), StorageAway, 'does not let our key'],
    [saying(404, 'NoSuchBucket'), StorageAway, 'no bucket of this name'],
    [saying(503, 'SlowDown'), StorageAway, '503 SlowDown'],
    [() => {}, StorageAway, 'no answer within'],
    [(request) => request.socket.destroy(), StorageAway, 'does not answer'],
  ] satisfies [RequestListener, new (message: string) => Error, string][])(
    'says in words what is wrong: %#',
    async (answer, kind, words) => {
      const bucket = await bucketOn(answer)
      const failure = await bucket.put('assets/one', bytes).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(kind)
      expect((failure as Error).message).toContain(words)
    },
  )

  it('tries again what failed in passing, and gives up nothing that was refused', async () => {
    let asked = 0
    const passing = await bucketOn((request, response) => {
      request.resume()
      response.writeHead(++asked === 1 ? 500 : 200).end()
    })
    await passing.put('assets/one', bytes)
    expect(asked).toBe(2)
    const refused = await bucketOn((request, response) => {
      asked++
      saying(403, 'AccessDenied')(request, response)
    })
    await expect(refused.put('assets/one', bytes)).rejects.toThrow()
    expect(asked).toBe(3)
  })

  it('that falls silent in the middle of a file ends the reading', async () => {
    const bucket = await bucketOn((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half')
    })
    await expect(read(await bucket.get('assets/one', null))).rejects.toThrow('fell silent')
  })

  it('that says after all that parts cannot be joined has not taken the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-parts-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await writeFile(`${folder}/film`, '')
    await truncate(`${folder}/film`, 17 * 1024 ** 2)
    const seen: string[] = []
    const bucket = await bucketOn((request, response) => {
      seen.push(`${request.method} ${request.url!.replace(/^\/films\//, '')}`)
      request.resume().on('end', () => {
        if (request.url!.endsWith('uploads=')) response.end('<UploadId>u1</UploadId>')
        else if (request.method === 'POST') response.end('<Error><Code>InternalError</Code></Error>')
        else response.writeHead(200, { etag: '"e"' }).end()
      })
    })
    await expect(bucket.putFile('assets/one', `${folder}/film`)).rejects.toThrow('InternalError')
    expect(seen.at(-1)).toBe('DELETE assets/one?uploadId=u1')
  })
})
