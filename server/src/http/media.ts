import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ZipFile } from 'yazl'
import { edits } from '@clear-to-post/contract/edits'
import { Refusal, refusal } from '@clear-to-post/contract/errors'
import { projects } from '@clear-to-post/contract/projects'
import { mayEver } from '@clear-to-post/domain/access'
import type { SecondFactorPolicy } from '@clear-to-post/domain/second-factor'
import { exportBehind } from '../personal-data/actions.ts'
import { namedFiles } from '../assets/actions.ts'
import { checkAddress } from '../assets/addresses.ts'
import { saveAs, safeFileName, distinctNames } from '../assets/names.ts'
import { isServed, sourcesOf, type AssetRow } from '../assets/store.ts'
import { askForFile } from '../kernel/asker.ts'
import { sql, systemCaller, type Caller, type Database, type Tx } from '../kernel/database.ts'
import { kitOf, type Kit } from '../edits/actions.ts'
import { callerByKey } from '../api-keys/actions.ts'
import { sessionPerson } from '../identity/actions.ts'
import { isVisible } from '../projects/actions.ts'
import { storage, type StoredFile } from '../outside/storage.ts'

/**
 * Stored files at /media, by signed address alone: whoever holds a good address may read that one file, for as long as its
 * row names it: a file that was thrown away, expired or erased is gone at once, whatever still lies on the disk. Quarantine
 * has no address. See docs/decisions/0022. A project's zip and kit go on changing: their addresses are one person's or one
 * key's, who must still reach the project (docs/decisions/0428 and 0882).
 */
export const mountMedia = (
  app: FastifyInstance,
  { database, limits, secondFactor }: { database: Database; limits: boolean; secondFactor: SecondFactorPolicy },
): void => {
  // A zip is made while it is sent, and asks for its parts in the database first.
  const limited = limits ? { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } } : {}
  const route = {
    method: ['GET', 'HEAD'] as ('GET' | 'HEAD')[],
    compress: false as const,
    exposeHeadRoute: false,
    // A refusal is nobody else's: a CDN in front would keep it for whoever has a good address. What is found says otherwise.
    onRequest: async (_request: FastifyRequest, reply: FastifyReply) => void reply.header('cache-control', 'no-store'),
  }
  for (const kind of ['zip', 'kit'] as const)
    app.route<{ Params: { projectId: string } }>({
      ...route,
      ...limited,
      url: `/media/${kind}/:projectId`,
      handler: async (request, reply) => {
        const { projectId } = request.params
        const { reader } = requireSigned(request, `/media/${kind}/${projectId}`)
        askForFile(request.ip)
        if (!(await mayFetch(database, secondFactor, kind, projectId, reader))) throw refusal('asset.not-found')
        // No transaction is open while a kit waits to be written.
        const kit = kind === 'kit' ? await kitOf(database, projectId) : undefined
        const found = kit === null ? null : await database.asSystem((tx) => zipOf(tx, projectId, kit))
        return sendZip(found, request, reply)
      },
    })
  app.route<{ Params: { exportId: string } }>({
    ...route,
    ...limited,
    url: '/media/export/:exportId',
    handler: async (request, reply) => {
      const { exportId } = request.params
      requireSigned(request, `/media/export/${exportId}`)
      askForFile(request.ip)
      const found = await exportBehind(database, exportId, new Date())
      return sendZip(found && { name: 'My data', texts: [], ...found }, request, reply)
    },
  })
  app.route<{ Params: { assetId: string; '*': string } }>({
    ...route,
    url: '/media/:assetId/*',
    handler: async (request, reply) => {
      const { assetId, '*': path } = request.params
      const { name } = requireSigned(request, `/media/${assetId}/${path}`)
      askForFile(request.ip)
      const type = types[path.split('.').at(-1)!]
      const isThere = type && (await database.readOnly(systemCaller, (tx) => isServed(tx, assetId, path)))
      const file = isThere && (await storage().open(assetId, path))
      if (!type || !file) throw refusal('asset.not-found')
      if (name !== undefined) reply.header('content-disposition', saveAs(name))
      reply.header('cache-control', 'private, max-age=7200, immutable, no-transform')
      return sendFile(file, type, request, reply)
    },
  })
}

/** Nothing a browser would run, whatever was uploaded. */
const types: Partial<Record<string, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  json: 'application/json',
}

/** Throws `asset.not-found` for an address that is not ours, and `asset.address-ended`. */
export const requireSigned = (
  request: Pick<FastifyRequest, 'query'>,
  path: string,
): { name?: string | undefined; reader?: string | undefined } => {
  const { until, name, reader, key, sign } = request.query as Record<string, unknown>
  // What is said twice was signed by nobody.
  const text = (value: unknown) => (value === undefined || typeof value === 'string' ? value : '')
  const given = { until: text(until), name: text(name), reader: text(reader), key: text(key), sign: text(sign) }
  const answer = checkAddress(path, given, new Date())
  if (answer === 'forged') throw refusal('asset.not-found')
  if (answer === 'ended') throw refusal('asset.address-ended')
  return { name: given.name, reader: given.reader }
}

/** Would this person or key, as they stand now, be given such an address of the project's? */
const mayFetch = async (
  database: Database,
  secondFactor: SecondFactorPolicy,
  kind: 'zip' | 'kit',
  projectId: string,
  readerId: string | undefined,
): Promise<boolean> => {
  if (readerId === undefined) return false
  const person = await database.readOnly(systemCaller, (tx) => sessionPerson(tx, readerId))
  const reader = person ?? (await keyBehind(database, secondFactor, readerId))
  if (!reader || !mayEver(reader.role, kind === 'kit' ? edits.handOver.access : projects.sources.access)) return false
  return database.readOnly(reader, (tx) => isVisible(tx, reader, projectId))
}

/** Who calls by this key; null where it is none that counts now. */
const keyBehind = (database: Database, secondFactor: SecondFactorPolicy, id: string): Promise<Caller | null> =>
  database
    .readOnly(systemCaller, (tx) => callerByKey(tx, id, secondFactor))
    .catch((error: unknown) => {
      if (error instanceof Refusal) return null
      throw error
    })

const sendFile = async (file: StoredFile, type: string, request: FastifyRequest, reply: FastifyReply) => {
  const etag = `"${file.size.toString(36)}-${file.modifiedAt.getTime().toString(36)}"`
  reply.headers({
    ...safeHeaders,
    'content-type': type,
    'accept-ranges': 'bytes',
    etag,
    'last-modified': file.modifiedAt.toUTCString(),
  })
  if (request.headers['if-none-match'] === etag) return finish(file, reply.code(304))
  const asked = request.headers['if-range'] === undefined || request.headers['if-range'] === etag
  const range = asked ? rangeOf(request.headers.range, file.size) : 'all'
  if (range === 'none') return finish(file, reply.code(416).header('content-range', `bytes */${file.size}`))
  const { start, end } = range === 'all' ? { start: 0, end: file.size - 1 } : range
  if (range !== 'all') reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`)
  reply.header('content-length', end - start + 1)
  if (request.method === 'HEAD' || file.size === 0) return finish(file, reply)
  return reply.send(file.stream(start, end))
}

const finish = async (file: StoredFile, reply: FastifyReply) => {
  await file.close()
  return reply.send()
}

const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** The one range of a Range header, both ends included; what we cannot read is answered with the whole, as HTTP says. */
const rangeOf = (header: string | undefined, size: number): { start: number; end: number } | 'all' | 'none' => {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return 'all'
  const [first, last] = [found[1]!, found[2]!]
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return 'all'
  return start > end ? 'none' : { start, end }
}

/** All source files of a project; for editing programs with its `kit`. Null when there is nothing. */
const zipOf = async (tx: Tx, projectId: string, kit: Kit | undefined): Promise<Zip | null> => {
  const project = await tx.first(sql<{ title: string }>`select title from project where id = ${projectId}`)
  const sources = await sourcesOf(tx, [projectId])
  const added = (kit?.files ?? []).filter((id) => !kit?.names.has(id) && !sources.some((source) => source.id === id))
  const rows = [...sources, ...(await namedFiles(tx, added, projectId)).values()].filter(
    (row) => row.state === 'ready' && row.derived.original,
  )
  if (!project || (!kit && rows.length === 0)) return null
  const texts = kit?.texts ?? []
  // Files first: the cut lists name them.
  const names = distinctNames([
    ...rows.map((row) => kit?.names.get(row.id) ?? row.file_name),
    ...texts.map(({ name }) => name),
  ])
  return {
    name: kit ? `${kit.jobCode} ${project.title}` : project.title,
    files: rows.map((row, i) => ({ name: names[i]!, row })),
    texts: texts.map(({ text }, i) => ({ name: names[rows.length + i]!, text })),
  }
}

type Zip = {
  name: string
  files: { name: string; row: AssetRow }[]
  texts: { name: string; text: string | Uint8Array }[]
  /** Files of ours that are no asset. */
  pages?: { name: string; size: number; open: () => Promise<Opened | undefined> }[]
}

/** Stored and not squeezed: videos do not get smaller. Its length is known beforehand: who asks for it alone opens no file. */
const sendZip = async (found: Zip | null, request: FastifyRequest, reply: FastifyReply) => {
  if (!found) throw refusal('asset.not-found')
  const zip = new ZipFile()
  const reading = Promise.withResolvers<void>()
  const open = openOneByOne(reply)
  const add = (name: string, options: { size: number; mtime?: Date }, begin: () => Promise<Readable>) =>
    zip.addReadStreamLazy(name, { ...options, compress: false }, (give) => {
      reading.promise.then(begin).then(
        (stream) => give(null, stream),
        (error: unknown) => give(error, null as never),
      )
    })
  for (const { name, text } of found.texts) {
    const bytes = typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.length)
    reply.keptBytes += bytes.length
    add(name, { size: bytes.length }, async () => streamOf(bytes))
  }
  for (const { name, size, open: page } of found.pages ?? []) add(name, { size }, () => open(() => pageOf(name, page)))
  for (const { name, row } of found.files)
    add(name, { size: row.file_size, mtime: row.uploaded_at }, () => open(() => originalOf(row)))
  const size = await new Promise<number>((resolve) => zip.end(undefined, (...told: number[]) => resolve(told[0]!)))
  reply.headers({
    ...safeHeaders,
    'content-type': 'application/zip',
    'content-disposition': saveAs(safeFileName(`${found.name.replace(/[/\\]/g, '-')}.zip`)),
    'content-length': size,
    'cache-control': 'private, no-store',
  })
  if (request.method === 'HEAD') return reply.send()
  zip.on('error', (error) => reply.raw.destroy(error as Error))
  reading.resolve()
  return reply.send(zip.outputStream)
}

/** Opens files one after the other; none stays open when the reader leaves, not even one that is being opened just then. */
const openOneByOne = ({ raw }: FastifyReply): ((of: () => Promise<Opened>) => Promise<Readable>) => {
  let open: Opened | undefined
  raw.on('close', () => void open?.close().catch(() => {}))
  return async (of) => {
    const file = await of()
    if (raw.destroyed) {
      await file.close()
      throw new Error('the reader has left')
    }
    open = file
    return file.stream()
  }
}

type Opened = Pick<StoredFile, 'close' | 'stream'>

const originalOf = async (row: AssetRow): Promise<Opened> => {
  const file = await storage().open(row.id, row.derived.original!)
  if (!file) throw new Error(`${row.id} is not there any more`)
  return file
}

const pageOf = async (name: string, open: () => Promise<Opened | undefined>): Promise<Opened> => {
  const file = await open()
  if (!file) throw new Error(`${name} is not there any more`)
  return file
}

/** A part at a time, so that others are served between them. */
const streamOf = (bytes: Buffer): Readable => {
  const part = 64 * 1024
  const parts = Array.from({ length: Math.ceil(bytes.length / part) }, (_, i) =>
    bytes.subarray(i * part, (i + 1) * part),
  )
  return Readable.from(parts, { objectMode: false })
}
