import { finished, PassThrough, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { ERRORS, Metadata, Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import { mayEver } from '@clear-to-post/domain/access'
import { scopeOfPermission } from '@clear-to-post/domain/scopes'
import { uploadWeight, writeBytes } from '@clear-to-post/domain/most-kept'
import type { Config } from '../kernel/config.ts'
import { systemCaller, type Caller, type Database } from '../kernel/database.ts'
import { callerByKey } from '../api-keys/actions.ts'
import { openAssets } from '../assets/open.ts'
import {
  beginOrFindUpload,
  dropUpload,
  finishUpload,
  mostBytes,
  oneAtATime,
  requireUpload,
  UploadStore,
} from '../assets/uploads.ts'
import { storage } from '../outside/storage.ts'
import { failureOf } from '../kernel/errors.ts'
import { requireScope, type ReadKey } from '../kernel/key.ts'
import type { RequireWritable } from '../kernel/written.ts'

type Options = {
  config: Config
  database: Database
  authenticate: (request: FastifyRequest) => Promise<Caller | null>
  /** Who calls by a key for programs. */
  readKey?: ReadKey
  requireWritable: RequireWritable
  /** So often a request that still sends is asked whether its sender's session, or key, still counts. */
  asksAgainMs?: number
}

/**
 * Resumable uploads (tus 1.0) at /uploads. Who may, how much and whose is asked here, before the protocol's own server
 * sees the request; that one then only moves bytes. Failures are the contract's, with the protocol's status codes.
 */
export const mountUploads = async (
  app: FastifyInstance,
  { config, database, authenticate, readKey, requireWritable, asksAgainMs = 5_000 }: Options,
): Promise<void> => {
  await openAssets(config, database)
  // The id that was authorised is the id acted on: the protocol's server never reads one out of an address.
  const ids = new WeakMap<Request, string>()
  const most = new WeakMap<Request, number>()
  const tus = new Server({
    path: '/uploads',
    datastore: new UploadStore(database, app.log),
    locker: oneAtATime(),
    maxSize: (request) => most.get(request) ?? mostBytes,
    relativeLocation: true,
    lockDrainTimeout: 1000,
    namingFunction: (request) => ids.get(request)!,
    getFileIdFromRequest: (request) => ids.get(request),
    onUploadFinish: async (_request, upload) => {
      await finishUpload(database, upload.id)
      return {}
    },
    onResponseError: (_request, error) => {
      if (!('status_code' in error)) throw error
      // Another connection took this upload over: the protocol's clients know 423 and ask again.
      return error === ERRORS.ABORTED ? { ...error, status_code: 423 } : undefined
    },
  })

  const stillCounts = async (caller: Caller): Promise<void> => {
    await database.readOnly(caller, async () => {})
    // A second factor may be demanded of whoever stands behind a key while it sends.
    const { key } = caller
    if (key) await database.readOnly(systemCaller, (tx) => callerByKey(tx, key.id, config.secondFactor))
  }

  const running = new Set<FastifyRequest>()
  const hand = async (request: FastifyRequest, reply: FastifyReply, id?: string, bytes = mostBytes) => {
    const body = request.body instanceof Readable ? request.raw.pipe(new PassThrough()) : undefined
    if (body) finished(request.raw, (error) => error && body.destroy(error))
    const asked = webRequest(request, id, body)
    if (id !== undefined) ids.set(asked, id)
    most.set(asked, bytes)
    running.add(request)
    let ended: Error | undefined
    const stopAsking =
      body &&
      askAgain(
        () => stillCounts(request.caller!),
        asksAgainMs,
        (error) => body.destroy((ended = error)),
      )
    // Whoever is refused a beginning never hears of its id: nothing of it stays.
    const drop = async () => {
      if (request.method === 'POST' && id !== undefined) await dropUpload(database, request.caller!, id)
    }
    try {
      const response = await tus.handleWeb(asked).catch(async (error: unknown) => {
        await drop()
        throw error
      })
      if (response.status >= 400) await drop()
      // What the protocol says of a body that breaks off is not why it did.
      if (response.status >= 400 && ended) throw ended
      return await answer(response, request, reply)
    } finally {
      running.delete(request)
      stopAsking?.()
      if (body) letRun(request, body)
    }
  }

  await app.register(async (room) => {
    // The stream is handed on as it comes.
    room.addContentTypeParser('application/offset+octet-stream', (_request, payload, done) => done(null, payload))
    room.addHook('onRequest', async (request, reply) => {
      if (request.method === 'OPTIONS') return
      const byKey = await readKey?.(request, reply)
      const caller = byKey ?? (await authenticate(request))
      if (!caller) throw refusal('session.required')
      if (!mayEver(caller.role, 'asset.upload')) throw refusal('access.forbidden')
      if (caller.key) requireScope(caller.key, scopeOfPermission('asset.upload', caller.key))
      request.caller = caller
    })
    // Uploads in flight are cut when the service stops: every sender resumes where it was.
    room.addHook('preClose', async () => running.forEach((request) => request.raw.destroy()))

    const route = { bodyLimit: mostBytes + 1, compress: false as const, config: { bodyTakes: 'long' as const } }
    room.options('/uploads', route, (request, reply) => hand(request, reply))
    room.post('/uploads', route, async (request, reply) => {
      const asked = declared(request)
      // A row and a check for each, however small: it counts among what a person writes. The disk is asked for its size.
      await requireWritable({ method: 'POST', base: '/api' }, request.caller!, uploadWeight * writeBytes)
      const { id, isNew } = await beginOrFindUpload(database, request.caller!, asked)
      if (isNew) return hand(request, reply, id)
      return reply
        .code(201)
        .headers({ location: `/uploads/${id}`, 'tus-resumable': '1.0.0' })
        .send()
    })
    room.route<{ Params: { assetId: string } }>({
      ...route,
      method: ['HEAD', 'PATCH', 'DELETE'],
      url: '/uploads/:assetId',
      handler: async (request, reply) => {
        const { assetId } = request.params
        requireLengthInDigits(request)
        return hand(request, reply, assetId, await requireUpload(database, request.caller!, assetId))
      },
    })
  })
}

const declared = (request: FastifyRequest) => {
  const metadata = request.headers['upload-metadata']
  const { 'upload-length': length, 'upload-defer-length': deferred } = request.headers
  if (request.headers['upload-concat'] !== undefined)
    throw refusal('request.invalid', 'Leave out Upload-Concat. Send each file as one upload.')
  if (deferred !== undefined && (deferred !== '1' || length !== undefined))
    throw refusal(
      'request.invalid',
      'Say Upload-Length, or Upload-Defer-Length: 1 where it is not known yet, not both.',
    )
  const size = deferred === undefined ? bytesIn(length) : null
  if (request.headers['tus-resumable'] !== '1.0.0') throw refusal('request.invalid', 'Tus-Resumable must be 1.0.0.')
  try {
    const { filename, filetype, projectId, takeId } = metadata ? Metadata.parse(String(metadata)) : {}
    return {
      size,
      fileName: filename ?? '',
      fileType: filetype ?? '',
      projectId: projectId || undefined,
      // Another program's own id of another kind is no reason to refuse a file.
      takeId: takeId && uuid.test(takeId) ? takeId : undefined,
    }
  } catch {
    throw refusal('request.invalid', 'Upload-Metadata must be pairs of a key and a base64 value, parted by commas.')
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const bytesIn = (length: unknown): number => {
  const size = Number(length)
  if (!/^(0|[1-9]\d*)$/.test(String(length)) || !Number.isSafeInteger(size))
    throw refusal('request.invalid', 'Upload-Length must say the size in bytes, in digits alone.')
  return size
}

// An upload whose length was not known yet is told it with its last bytes (tus, Upload-Defer-Length).
const requireLengthInDigits = ({ method, headers }: FastifyRequest) => {
  const length = headers['upload-length']
  if (length === undefined) return
  if (method !== 'PATCH') throw refusal('request.invalid', 'Leave out Upload-Length here.')
  bytesIn(length)
}

// Only what the protocol knows goes in; nothing of the connection or the sender's address can confuse it.
const webRequest = (request: FastifyRequest, id: string | undefined, body: Readable | undefined): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (/^(upload-.*|tus-.*|content-(type|length))$/.test(name)) headers.set(name, String(value))
  const path = request.method === 'POST' || id === undefined ? '/uploads' : `/uploads/${id}`
  return new Request(`http://uploads${path}`, {
    method: request.method,
    headers,
    ...(body ? { body: Readable.toWeb(body) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
  } as RequestInit)
}

/**
 * Ends what a sender still sends once their session or key counts no more, or they are shut out: `end` is given what `stillCounts`
 * threw. What the database cannot say now it is asked again.
 */
const askAgain = (stillCounts: () => Promise<void>, everyMs: number, end: (error: Error) => void): (() => void) => {
  let isOver = false
  const ask = async () => {
    const error = await stillCounts().then(
      () => undefined,
      (refused: Error & { code?: string }) => refused,
    )
    if (isOver) return
    if (/^(CT40[12]|api-key\.ended)$/.test(error?.code ?? '')) end(error!)
    else timer = setTimeout(ask, everyMs).unref()
  }
  // What begins together is not asked of together: two hundred at once would keep everybody's lists waiting.
  let timer = setTimeout(ask, everyMs * Math.random()).unref()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

// A refused body runs on into nothing, else its sender would never get to read the answer; for a while.
const letRun = ({ raw }: FastifyRequest, body: PassThrough) => {
  raw.unpipe(body)
  body.destroy()
  if (raw.readableEnded || raw.destroyed) return
  raw.resume()
  const patience = setTimeout(() => raw.destroy(), 10_000).unref()
  raw.on('close', () => clearTimeout(patience))
}

const answer = async (response: Response, request: FastifyRequest, reply: FastifyReply) => {
  const isOpen = request.headers['upload-defer-length'] !== undefined || response.headers.has('upload-defer-length')
  if (response.status < 400 && storage().parts && !isOpen) reply.header('upload-parts', 'yes')
  for (const [name, value] of response.headers)
    if (/^(upload-.*|tus-.*|location|cache-control)$/.test(name)) reply.header(name, value)
  if (response.status < 400) return reply.code(response.status).send()
  const { status, body, unexpected } = failureOf(refusedBy(response.status, (await response.text()).trim()), request.id)
  if (unexpected) request.log.error({ status: response.status }, 'the upload could not be written')
  return reply.code(ownStatuses.includes(response.status) ? response.status : status).send(body)
}

// The protocol's own: for another version of itself, and for an upload that another connection took over.
const ownStatuses = [412, 423]

// The protocol's refusals in our words.
const refusedBy = (status: number, words: string): Error => {
  if (status === 404 || status === 410) return refusal('asset.not-found')
  if (status === 409) return refusal('asset.wrong-offset')
  if (status === 412) return refusal('request.invalid', 'Tus-Resumable must be 1.0.0.')
  if (status === 423) return refusal('asset.busy')
  if (status === 413)
    return refusal('asset.too-large', 'More bytes came than this upload said it has. Begin again with the right size.')
  if (status >= 500) return new Error(words)
  if (/upload-length/i.test(words))
    return refusal('request.invalid', 'Leave out Upload-Length. An upload keeps the size that it has.')
  if (/content-type/i.test(words))
    return refusal('request.wrong-type', 'Send the bytes with Content-Type application/offset+octet-stream.')
  if (words === 'Upload-Offset header required')
    return refusal('request.invalid', 'Upload-Offset must say where these bytes begin.')
  return refusal('request.invalid', words.replace(/^Invalid (\S+)$/, 'The header $1 is not valid.'))
}
