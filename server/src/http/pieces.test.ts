import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../kernel/database.ts'
import { openQueue } from '../kernel/queue.ts'
import { sql } from '../kernel/database.ts'
import { openService, type Service } from '../../test/service.ts'
import { dropOldPieces, keepPieces, piecesKeptDays, typeOf } from './pieces.ts'
import { builtWeb } from './pages.ts'

/** Two builds: each has a piece that the other one lacks, and both have one. */
const folders: string[] = []
const makeBuild = async (pieces: Record<string, string>): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'clear-to-post-build-'))
  folders.push(root)
  await mkdir(join(root, 'assets'))
  for (const [name, text] of Object.entries(pieces)) {
    await writeFile(join(root, 'assets', name), text)
    if (/\.(js|css)$/.test(name)) await writeFile(join(root, 'assets', `${name}.br`), brotliCompressSync(text))
  }
  return root
}

let before: string
let after: string
let service: Service
beforeAll(async () => {
  before = await makeBuild({
    'later-aaaaaaaa.js': 'export const old = 1',
    'same-cccccccc.js': 'both',
    'mark-aaaaaaaa.webp': 'RIFF',
  })
  after = await makeBuild({ 'later-bbbbbbbb.js': 'export const now = 2', 'same-cccccccc.js': 'both' })
  service = await openService()
})
afterAll(async () => {
  await service.close()
  for (const folder of folders) await rm(folder, { recursive: true })
})

const ask = (name: string, headers: Record<string, string> = {}) =>
  service.app.inject({ url: `/assets/${name}`, headers })

test('a piece of the release before, and of the next one, is answered by a host that has neither in its build', async () => {
  // The host of the release before was asked for nothing yet; then one of the next release starts.
  expect(await keepPieces(service.database, before)).toBe(3)
  expect(await keepPieces(service.database, after)).toBe(1)
  expect(await keepPieces(service.database, after)).toBe(0)
  const old = await ask('later-aaaaaaaa.js', { 'accept-encoding': 'gzip, br' })
  expect({ status: old.statusCode, ...old.headers }).toMatchObject({
    status: 200,
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  expect(brotliDecompressSync(old.rawPayload).toString()).toBe('export const old = 1')
  const plain = await ask('later-bbbbbbbb.js?x')
  expect({ body: plain.body, coding: plain.headers['content-encoding'] }).toEqual({
    body: 'export const now = 2',
    coding: undefined,
  })
  expect((await ask('mark-aaaaaaaa.webp')).headers['content-type']).toBe('image/webp')
  const never = await ask('later-dddddddd.js')
  expect({ status: never.statusCode, kind: never.json().kind }).toEqual({ status: 404, kind: 'not-found' })
})

test('pieces of a release that hosts still serve stay, and others go after a month', async () => {
  const day = 86_400_000
  const later = (days: number) => new Date(Date.now() + days * day)
  const age = sql`update web_piece set seen_at = seen_at - interval '29 days'`
  await service.database.asSystem((tx) => tx.count(age))
  await keepPieces(service.database, after)
  expect(await dropOldPieces(service.database, later(0.5))).toBe(0)
  expect(await dropOldPieces(service.database, later(1.5))).toBe(2)
  const left = await service.database.asSystem((tx) =>
    tx.rows(sql<{ name: string }>`select name from web_piece order by name`),
  )
  expect(left.map(({ name }) => name)).toEqual(['later-bbbbbbbb.js', 'same-cccccccc.js'])
  expect(await dropOldPieces(service.database, later(piecesKeptDays + 1))).toBe(2)
})

test('hosts of one release that start at once keep each piece once', async () => {
  const queue = await openQueue(service.urls.appUrl)
  const others = Array.from({ length: 4 }, () => openDatabase(service.urls.appUrl, { queue, max: 1 }))
  const added = await Promise.all(others.map((database) => keepPieces(database, before)))
  expect(added.reduce((sum, one) => sum + one, 0)).toBe(3)
  for (const one of others) await one.close()
  await queue.close()
})

test('each kind of file that the build names by its content is kept as what it is', async () => {
  const all = await readdir(join(builtWeb, 'assets')).catch(() => [])
  const kinds = new Set(all.filter((name) => !/\.(br|gz)$/.test(name)).map((name) => extname(name)))
  expect([...kinds].filter((kind) => !(kind in typeOf))).toEqual([])
})
