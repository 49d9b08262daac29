import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient, AwsV4Signer } from 'aws4fetch'
import { StorageAway, StorageFull } from './storage.ts'

/**
 * Where an S3-compatible bucket answers (`https://host/bucket`, or `https://bucket.host`), and with what key. `publicUrl`:
 * where people's browsers reach it, where they do.
 */
export type BucketPlace = { url: string; region: string; keyId: string; secret: string; publicUrl?: string | undefined }

/**
 * An S3-compatible bucket, by keys without a `/` at their beginning. Requests are signed by aws4fetch; what goes out carries
 * its sha-256 in the signature, so that bytes that changed on the way are refused. What may be repeated is tried three times.
 * Throws `StorageFull` where it says that it is full, `StorageAway` where it does not answer or not to us.
 */
export type Bucket = {
  /** Puts all of these bytes; what stands under the key is replaced. */
  put: (key: string, bytes: Uint8Array, meta?: Record<string, string>) => Promise<void>
  /** Puts a local file, in parts where it is long; it is there whole or not at all. `meta` stays with it. */
  putFile: (key: string, path: string, meta?: Record<string, string>) => Promise<void>
  /** Undefined when there is none. `checksum`: the sha-256 by which the store itself holds what it was given, where it says so. */
  head: (
    key: string,
  ) => Promise<{ size: number; modifiedAt: Date; sha256: string | null; checksum: string | null } | undefined>
  /**
   * An address to which whoever has it may put these bytes, and no others, for so many seconds; and the headers that go with
   * it, without which or otherwise it is refused: what is put is nobody else's to read. Stores that know no checksums take
   * other bytes of the same length.
   */
  addressToPut: (
    key: string,
    bytes: number,
    sha256: string,
    seconds: number,
  ) => Promise<{ url: string; headers: Record<string, string> }>
  /** Lets pages of this origin put to such addresses; what else was allowed to pages is replaced. */
  allowOrigin: (origin: string) => Promise<void>
  /** The bytes from `start` to `end`, both included, as they come; undefined when there are none. */
  get: (
    key: string,
    range: { start: number; end: number } | null,
    signal?: AbortSignal,
  ) => Promise<AsyncIterable<Uint8Array> | undefined>
  /** What lies below a prefix, at most a thousand at a time. */
  list: (prefix: string) => AsyncIterable<{ key: string; size: number; modifiedAt: Date }[]>
  /** The names of the folders right below a prefix that ends with `/`. */
  folders: (prefix: string) => Promise<string[]>
  remove: (key: string) => Promise<void>
  /** Writes and reads a few bytes. Throws in words what is wrong; answers how many ms its clock is ahead of ours. */
  check: () => Promise<{ aheadMs: number }>
}

/** The bytes of a part of a long file. S3 takes 5 MiB or more, and 10,000 parts. */
const partBytes = 16 * 1024 ** 2
/** Without an answer, or without a byte of it, for this long, a request is ended. */
const usual = { patienceMs: 30_000, tries: 3 }
/** Bytes that go out in a ms on the slowest line on which it is worth waiting. */
const slowestPerMs = 256

export const openBucket = (
  { url, region, keyId, secret, publicUrl }: BucketPlace,
  { patienceMs: patience, tries }: { patienceMs: number; tries: number } = usual,
): Bucket => {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region, retries: 0 })
  const base = url.replace(/\/$/, '')
  // Amazon refuses every x-amz header that is not signed, and by default also this one, as its buckets know no rights of
  // single objects; other stores believe those that come beside the signature.
  const isAmazon = /\.amazonaws\.com(\.cn)?$/.test(new URL(url).hostname)

  const once = async (method: string, path: string, more: Asking): Promise<Response> => {
    const { body, headers = {}, signal } = more
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const request = await client.sign(`${base}/${path}`, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': hash },
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    })
    const late = new AbortController()
    const allowed = patience + (body?.length ?? 0) / slowestPerMs
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${Math.round(allowed / 1000)} s`)), allowed)
    try {
      const response = await fetch(request, {
        signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]),
        redirect: 'error',
      })
      if (response.ok || (response.status === 404 && more.mayMiss)) return response
      const text = await response.text().catch(() => '')
      throw new Answered(response.status, valueIn(text, 'Code') ?? '')
    } finally {
      clearTimeout(timer)
    }
  }
  const ask = async (method: string, path: string, more: Asking = {}): Promise<Response> => {
    for (let n = 1; ; n++)
      try {
        return await once(method, path, more)
      } catch (error) {
        if (more.signal?.aborted) throw more.signal.reason
        if (n >= tries || !isPassing(error)) throw inWords(error)
        await sleep(200 * 2 ** n, undefined, more.signal ? { signal: more.signal } : {})
      }
  }

  const put: Bucket['put'] = async (key, bytes, meta = {}) => {
    await (await ask('PUT', key, { body: bytes, headers: metaHeaders(meta) })).arrayBuffer()
  }

  const putParts = async (key: string, path: string, size: number, meta: Record<string, string>): Promise<void> => {
    const begun = await ask('POST', `${key}?uploads=`, { headers: metaHeaders(meta) })
    const uploadId = encodeURIComponent(valueIn(await begun.text(), 'UploadId') ?? '')
    try {
      await using file = await open(path)
      const etags: string[] = []
      for (let at = 0, part = 1; at < size; at += partBytes, part++) {
        const bytes = await bytesOf(file, at, Math.min(partBytes, size - at))
        const answer = await ask('PUT', `${key}?partNumber=${part}&uploadId=${uploadId}`, { body: bytes })
        await answer.arrayBuffer()
        etags.push(answer.headers.get('etag') ?? '')
      }
      const parts = etags
        .map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
        .join('')
      const body = new TextEncoder().encode(`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`)
      const done = await (await ask('POST', `${key}?uploadId=${uploadId}`, { body })).text()
      // S3 may say 200 before it knows, and the error after it.
      if (!done.includes('<CompleteMultipartUploadResult'))
        throw inWords(new Answered(500, valueIn(done, 'Code') ?? 'InternalError'))
    } catch (error) {
      await ask('DELETE', `${key}?uploadId=${uploadId}`, { mayMiss: true }).catch(() => {})
      throw error
    }
  }

  async function* pages(query: Record<string, string>): AsyncGenerator<string> {
    for (let token: string | undefined = ''; token !== undefined;) {
      const search = new URLSearchParams({
        'list-type': '2',
        ...query,
        ...(token ? { 'continuation-token': token } : {}),
      })
      const text: string = await (await ask('GET', `?${search}`)).text()
      yield text
      token = valueIn(text, 'NextContinuationToken')
    }
  }

  return {
    put,
    putFile: async (key, path, meta = {}) => {
      await using file = await open(path)
      const { size } = await file.stat()
      if (size > partBytes) return putParts(key, path, size, meta)
      return put(key, await bytesOf(file, 0, size), meta)
    },
    head: async (key) => {
      const answer = await ask('HEAD', key, { mayMiss: true, headers: { 'x-amz-checksum-mode': 'ENABLED' } })
      if (answer.status === 404) return undefined
      const checksum = answer.headers.get('x-amz-checksum-sha256')
      return {
        size: Number(answer.headers.get('content-length')),
        modifiedAt: new Date(answer.headers.get('last-modified') ?? 0),
        sha256: answer.headers.get('x-amz-meta-sha256'),
        checksum: checksum && Buffer.from(checksum, 'base64').toString('hex'),
      }
    },
    addressToPut: async (key, bytes, sha256, seconds) => {
      const headers = {
        'content-type': 'application/octet-stream',
        'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
        ...(isAmazon ? {} : { 'x-amz-acl': 'private' }),
      }
      const signed = await new AwsV4Signer({
        method: 'PUT',
        url: `${(publicUrl ?? url).replace(/\/$/, '')}/${key}?X-Amz-Expires=${seconds}`,
        headers: { ...headers, 'content-length': String(bytes) },
        accessKeyId: keyId,
        secretAccessKey: secret,
        service: 's3',
        region,
        signQuery: true,
        allHeaders: true,
      }).sign()
      // Whoever puts says the length by what they put.
      return { url: signed.url.href, headers }
    },
    allowOrigin: async (origin) => {
      const rule = `<AllowedOrigin>${origin}</AllowedOrigin><AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader><MaxAgeSeconds>3600</MaxAgeSeconds>`
      const body = new TextEncoder().encode(`<CORSConfiguration><CORSRule>${rule}</CORSRule></CORSConfiguration>`)
      const md5 = createHash('md5').update(body).digest('base64')
      await (await ask('PUT', '?cors=', { body, headers: { 'content-md5': md5 } })).arrayBuffer()
    },
    get: async (key, range, signal) => {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const stop = new AbortController()
      const either = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])])
      const answer = await ask('GET', key, { headers, mayMiss: true, signal: either })
      if (answer.status === 404) return undefined
      return untilSilent(answer.body!, patience, stop)
    },
    list: async function* (prefix) {
      for await (const text of pages({ prefix }))
        yield [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, one]) => ({
          key: valueIn(one!, 'Key')!,
          size: Number(valueIn(one!, 'Size')),
          modifiedAt: new Date(valueIn(one!, 'LastModified')!),
        }))
    },
    folders: async (prefix) => {
      const found: string[] = []
      for await (const text of pages({ prefix, delimiter: '/' }))
        for (const [, one] of text.matchAll(/<CommonPrefixes>(.*?)<\/CommonPrefixes>/gs))
          found.push(valueIn(one!, 'Prefix')!.slice(prefix.length, -1))
      return found
    },
    remove: async (key) => {
      await (await ask('DELETE', key, { mayMiss: true })).arrayBuffer()
    },
    check: async () => {
      const bytes = new TextEncoder().encode('clear to post')
      const answer = await ask('PUT', 'health/written', { body: bytes })
      await answer.arrayBuffer()
      const back = await (await ask('GET', 'health/written')).bytes()
      if (Buffer.compare(bytes, back) !== 0)
        throw new StorageAway('the bucket gives back other bytes than it was given')
      const at = Date.parse(answer.headers.get('date') ?? '')
      return { aheadMs: Number.isNaN(at) ? 0 : at - Date.now() }
    },
  }
}

type Asking = { body?: Uint8Array; headers?: Record<string, string>; mayMiss?: boolean; signal?: AbortSignal }

/** A refusal of the bucket's. */
class Answered extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
  }
}

/** Worth another try at once: nothing came back, or it says so. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof Answered) || error.status === 429 || (error.status >= 500 && error.status !== 507)

const full = ['QuotaExceeded', 'InsufficientStorage', 'StorageFull', 'XMinioStorageFull', 'InsufficientCapacity']

/** What went wrong, as an operator reads it in the log and in /health/ready. */
const inWords = (error: unknown): Error => {
  if (error instanceof StorageAway || error instanceof StorageFull) return error
  if (!(error instanceof Answered)) {
    const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } }
    return new StorageAway(
      `the bucket does not answer (${cause?.code || cause?.message || message || String(error)})`,
      {
        cause: error,
      },
    )
  }
  const { status, code } = error
  if (status === 507 || full.includes(code)) return new StorageFull('the bucket is full')
  const refused = (words: string) => new StorageAway(words, { refusesUs: true })
  if (code === 'RequestTimeTooSkewed')
    return refused('the bucket refuses us because its clock and this machine’s are too far apart')
  if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch' || status === 401)
    return refused('the bucket does not know our key, or the key’s secret is wrong')
  if (code === 'NoSuchBucket') return refused('there is no bucket of this name')
  if (status === 403) return refused('the bucket does not let our key do this')
  return new StorageAway(`the bucket answered ${status}${code ? ` ${code}` : ''}`)
}

const metaHeaders = (meta: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(meta).map(([name, value]) => [`x-amz-meta-${name}`, value]))

/** The text of an element; keys and codes of ours hold nothing that XML writes otherwise. */
const valueIn = (xml: string, element: string): string | undefined =>
  new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]?.replaceAll('&quot;', '"')

type Readable = { read: (into: Uint8Array, at: number, length: number, from: number) => Promise<{ bytesRead: number }> }

const bytesOf = async (file: Readable, from: number, length: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(length)
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(bytes, done, length - done, from + done)
    if (bytesRead === 0) throw new Error('the file became shorter while it was read')
    done += bytesRead
  }
  return bytes
}

/** The bytes of an answer; ends it when none came for too long, and when nobody reads on. */
async function* untilSilent(
  body: ReadableStream<Uint8Array>,
  patience: number,
  stop: AbortController,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const timer = setTimeout(
        () => stop.abort(new StorageAway('the bucket fell silent in the middle of a file')),
        patience,
      )
      const { value, done } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    stop.abort()
  }
}
