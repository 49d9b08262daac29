import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asNobodys } from '../kernel/asker.ts'
import { sql, systemCaller, type Database } from '../kernel/database.ts'
import { encodingFor } from './packed.ts'

/**
 * Built files of older releases. A page that was opened before a deploy asks for its pieces when they are needed, by names with a
 * hash in them; so each host puts the pieces of its release into the database before it takes calls, and whichever host is asked
 * answers those that its own build lacks: of releases before, and of the next one while it is rolled out.
 */

/** Pieces of releases that no host served for so long are dropped. */
export const piecesKeptDays = 30
/** A host says so often that its release is still there. */
export const piecesSeenMs = 12 * 3_600_000
/** Larger ones are films of the front page, which plays without them. */
const largest = 1_000_000
/** Names that nobody has are asked of the database no more often than this. */
const namesEveryMs = 5_000

/** What the build names by its content, with what it is sent as. */
export const typeOf: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.mp4': 'video/mp4',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
}
const address = /^\/assets\/([\w.-]{1,200})(?:\?|$)/

/** Keeps the pieces of the build that lies in `root`, as far as they are not kept yet. Answers how many are new. */
export const keepPieces = async (database: Pick<Database, 'asSystem'>, root: string): Promise<number> => {
  const folder = join(root, 'assets')
  const all: string[] = await readdir(folder).catch(() => [])
  const names = all.filter((name) => extname(name) in typeOf)
  const seen = await database.asSystem((tx) =>
    tx.rows(
      sql<{ name: string }>`update web_piece set seen_at = now() where name = any(${names}::text[]) returning name`,
    ),
  )
  const kept = new Set(seen.map(({ name }) => name))
  const wanted: Piece[] = []
  for (const name of names) {
    if (kept.has(name) || (await stat(join(folder, name))).size > largest) continue
    const isPacked = all.includes(`${name}.br`)
    wanted.push({ name, coding: isPacked ? 'br' : 'identity', path: join(folder, isPacked ? `${name}.br` : name) })
  }
  let added = 0
  for (let from = 0; from < wanted.length; from += atOnce) {
    const some = wanted.slice(from, from + atOnce)
    const contents = await Promise.all(some.map(({ path }) => readFile(path)))
    // Another host of this release may do the same at this moment.
    added += await database.asSystem((tx) =>
      tx.count(sql`
        insert into web_piece (name, coding, content)
        select name, coding, content
        from unnest(${some.map(({ name }) => name)}::text[], ${some.map(({ coding }) => coding)}::text[], ${contents}::bytea[])
          as piece (name, coding, content)
        on conflict (name) do nothing`),
    )
  }
  return added
}
type Piece = { name: string; coding: 'br' | 'identity'; path: string }
const atOnce = 40

/** Drops what no host has served for a month. */
export const dropOldPieces = (database: Pick<Database, 'asSystem'>, now: Date): Promise<number> =>
  database.asSystem((tx) =>
    tx.count(sql`delete from web_piece where seen_at < ${new Date(now.getTime() - piecesKeptDays * 86_400_000)}`),
  )

/** Sends a piece that this host's own build lacks; undefined where nobody has it. */
export const piecesOf = (database: Pick<Database, 'readOnly'>) => {
  let names: ReadonlySet<string> = new Set()
  let readAt = -Infinity
  const isKept = async (name: string): Promise<boolean> => {
    if (names.has(name)) return true
    if (performance.now() - readAt < namesEveryMs) return false
    readAt = performance.now()
    const found = await asNobodys(() =>
      database.readOnly(systemCaller, (tx) => tx.rows(sql<{ name: string }>`select name from web_piece`)),
    )
    names = new Set(found.map((one) => one.name))
    return names.has(name)
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const name = request.method === 'GET' ? address.exec(request.url)?.[1] : undefined
    if (name === undefined || !(await isKept(name))) return undefined
    const piece = await database.readOnly(systemCaller, (tx) =>
      tx.first(sql<{ coding: string; content: Buffer }>`select coding, content from web_piece where name = ${name}`),
    )
    if (!piece) return undefined
    reply
      .type(typeOf[extname(name)] ?? 'application/octet-stream')
      .header('cache-control', 'public, max-age=31536000, immutable')
    if (piece.coding === 'identity') return reply.send(piece.content)
    reply.header('vary', 'accept-encoding')
    return encodingFor(request) === 'br'
      ? reply.header('content-encoding', 'br').send(piece.content)
      : reply.send(brotliDecompressSync(piece.content))
  }
}

/**
 * Keeps the pieces of this host's build for as long as it is there. Returns when they are kept, so that a host takes calls only
 * then; a database that is away is asked again.
 */
export const keepPiecesWhile = async (app: FastifyInstance, database: Database, root: string): Promise<void> => {
  const keep = () =>
    keepPieces(database, root).then(
      () => {},
      (error: unknown) =>
        app.log.warn({ err: error }, 'pieces of the panel were not kept; they will be within half a day'),
    )
  const timer = setInterval(() => void keep(), piecesSeenMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  await keep()
}
