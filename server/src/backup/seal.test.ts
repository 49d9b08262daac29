import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { folderInMemory } from '../../test/in-memory.ts'
import { environment } from '../../test/processes.ts'
import { checkBackup } from './check.ts'
import { checksumsFile, checksumsDigestFile, readChecksums, writeChecksums } from './checksums.ts'
import { aboutName, beginFolder, ofBackups, readBackup, takeFolder } from './folder.ts'
import { putBack } from './put-back.ts'
import { takeBackup } from './take.ts'

/** What a backup promises of its bytes is the same without a database in it. */
let root: string
let dataDir: string
let backups: string
let number = 0
const poster = 'data/media/assets/1/poster.jpg'
const key = 'data/media-key'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

beforeAll(async () => void (root = await folderInMemory('seal')))
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  number++
  ;[dataDir, backups] = [join(root, `${number}/data`), join(root, `${number}/backups`)]
  await mkdir(join(dataDir, 'media/assets/1'), { recursive: true })
  await writeFile(join(dataDir, 'media/assets/1/poster.jpg'), 'a poster')
  await writeFile(join(dataDir, 'media-key'), 'a key')
})

/** Backups are named by their second. */
const take = async () => {
  await sleep(1001 - (Date.now() % 1000))
  return takeBackup({ dataDir, to: backups, product: 'test', ownDatabase: true })
}

/** Writes other bytes of the same length and age into a file of a backup, and its list and seal anew. */
const rewrite = async (folder: string, path = poster) => {
  const { atime, mtime } = await stat(join(folder, path))
  const forged = (await readFile(join(folder, path), 'utf8')).replaceAll('e', 'x')
  await writeFile(join(folder, path), forged)
  await utimes(join(folder, path), atime, mtime)
  const sums = (await readChecksums(folder)).set(path, sha256(forged))
  for (const list of [checksumsFile, checksumsDigestFile]) await rm(join(folder, list))
  await writeChecksums(folder, sums)
}

const command = async (args: readonly string[], of = dataDir) => {
  const script = join(import.meta.dirname, '../main/backup.ts')
  const env = { ...environment, DATA_DIR: of }
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

test('a backup whose list and seal were both rewritten is told by the seal that was kept elsewhere, and by no other', async () => {
  const { folder, seal } = await take()
  const faults = (kept?: string) => checkBackup(folder, { placeFor: root, seal: kept })
  expect(await faults(seal)).toEqual([])
  await rewrite(folder)
  expect(await faults()).toEqual([])
  const said = expect.stringMatching(`and ${seal} was kept: somebody rewrote this backup`)
  expect(await faults(seal)).toEqual([said])
  const restored = join(root, `${number}/restored`)
  await expect(putBack(folder, restored, { seal })).rejects.toThrow('somebody rewrote this backup')
  await expect(stat(restored)).rejects.toThrow('ENOENT')
})

test('verify knows the seals of the backups that this DATA_DIR made, and elsewhere the one that is given', async () => {
  const [first, second] = [await take(), await take()]
  const elsewhere = join(root, 'elsewhere')
  for (const { folder } of [first, second])
    expect(await command(['verify', folder])).toMatchObject({ code: 0, said: expect.stringMatching('DATA_DIR noted') })
  expect(await command(['verify', first.folder, '--seal', first.seal.toUpperCase()], elsewhere)).toMatchObject({
    code: 0,
    said: expect.stringMatching('the one that you gave'),
  })
  await rewrite(first.folder)
  const told = { code: 1, said: expect.stringMatching('somebody rewrote this backup') }
  expect(await command(['verify', first.folder])).toMatchObject(told)
  expect(await command(['verify', first.folder, '--seal', first.seal], elsewhere)).toMatchObject(told)
  // Whoever does not give it is told what was not looked at.
  expect(await command(['verify', first.folder], elsewhere)).toMatchObject({
    code: 0,
    said: expect.stringMatching('not whether somebody who has the\\s+folder rewrote'),
  })
  expect(await command(['verify', first.folder, '--seal', 'abc'])).toMatchObject({
    code: 1,
    said: expect.stringMatching('This is no seal'),
  })
  expect(await command(['backup', backups, '--seal', first.seal])).toMatchObject({
    code: 1,
    said: expect.stringMatching('Say what to do'),
  })
})

test('a newer backup that this DATA_DIR did not make is not taken for its newest', async () => {
  const { folder, seal } = await take()
  const forged = join(backups, '2999-01-01T00-00-00Z')
  await cp(folder, forged, { recursive: true })
  await rewrite(forged)
  const told = { code: 1, said: expect.stringMatching('did not make 2999-01-01T00-00-00Z') }
  for (const given of [backups, forged]) expect(await command(['verify', given])).toMatchObject(told)
  // Nor is its own one under another name, unless somebody knows its seal.
  await rm(forged, { recursive: true })
  await rename(folder, forged)
  expect(await command(['verify', backups])).toMatchObject(told)
  expect(await command(['verify', backups, '--seal', seal])).toMatchObject({ code: 0 })
})

test('of a folder in which this DATA_DIR made backups, verify takes none that it did not make', async () => {
  const { folder, seal } = await take()
  const forge = async (to: string) => {
    await cp(folder, to, { recursive: true })
    await rewrite(to)
  }
  // The folder itself is made to look like a backup, in whose list the real ones stand, too.
  await forge(backups)
  const name = basename(folder)
  const sums = await readChecksums(backups)
  for (const [path, hash] of await readChecksums(folder)) sums.set(`${name}/${path}`, hash)
  for (const list of [checksumsFile, checksumsDigestFile])
    sums.set(`${name}/${list}`, sha256(await readFile(join(folder, list), 'utf8')))
  for (const list of [checksumsFile, checksumsDigestFile]) await rm(join(backups, list))
  await writeChecksums(backups, sums)
  expect(await checkBackup(backups, { placeFor: root })).toEqual([])
  expect(await command(['verify', backups])).toMatchObject({
    code: 1,
    said: expect.stringMatching('did not make backups'),
  })
  for (const path of [checksumsFile, checksumsDigestFile, aboutName, 'data'])
    await rm(join(backups, path), { recursive: true })
  expect(await command(['verify', backups])).toMatchObject({ code: 0 })

  // What this DATA_DIR made is taken away, and an older name is the newest one left.
  const old = join(backups, '2020-01-01T00-00-00Z')
  await forge(old)
  await rename(folder, join(root, `${number}/away`))
  expect(await command(['verify', backups])).toMatchObject({
    code: 1,
    said: expect.stringMatching('did not make 2020-01-01T00-00-00Z'),
  })
  // One from before its first is verified by its name, and by what was kept of it.
  expect(await command(['verify', old])).toMatchObject({
    code: 0,
    said: expect.stringMatching('No seal was kept here'),
  })
  await rm(old, { recursive: true })
  await rename(join(root, `${number}/away`), old)
  expect(await command(['verify', backups, '--seal', seal])).toMatchObject({ code: 0 })
})

test('a half-made backup is removed from folder to folder, and by no path that somebody could lead elsewhere', async () => {
  // Of what lies deeper than a path may be long nobody asks by its path: it is reached from the folder above it, or not at all.
  const names = Array.from({ length: 15 }, () => 'd'.repeat(200))
  const half = join(backups, 'incomplete-2026-11-22T04-16-27Z')
  const below = join(root, `${number}/below`)
  onTestFinished(() => void spawnSync('rm', ['-rf', '--', backups]))
  for (const top of [half, below]) await mkdir(join(top, ...names), { recursive: true })
  const away = join(root, `${number}/away`)
  await mkdir(away)
  await writeFile(join(away, 'kept'), 'kept')
  await symlink(away, join(below, ...names, 'link'))
  await rename(below, join(half, ...names, 'below'))
  const { cleared, release } = await takeFolder(backups, { dataDir, now: new Date('2026-11-29T00:00:00Z') })
  release()
  expect(cleared).toBe(1)
  expect(await readdir(backups)).toEqual([])
  expect(await readdir(away)).toEqual(['kept'])
})

test('a backup makes no file where a link among the backups leads', async () => {
  await mkdir(backups)
  const marks = ['restore-unfinished', 'made-by-a-link'].map((name) => join(dataDir, name))
  await symlink(marks[0]!, join(backups, '.lock'))
  await symlink(marks[1]!, join(backups, ofBackups.lock))
  const { folder } = await take()
  expect(await checkBackup(folder, { placeFor: root })).toEqual([])
  for (const mark of marks) await expect(stat(mark)).rejects.toThrow('ENOENT')
})

test('a half-made backup is cleared by the next of its DATA_DIR, and by any other after three days', async () => {
  const [other, now] = [join(root, `${number}/other`), new Date('2026-11-29T12:00:00Z')]
  for (const folder of [backups, other]) await mkdir(folder)
  const begin = (of: string, at: string) => beginFolder(backups, { dataDir: of, beganAt: new Date(at) })
  const drafts = [await begin(dataDir, '2026-11-29T11:00:00Z'), await begin(other, '2026-11-28T11:00:00Z')]
  const cleared = async (of: string, at: Date) => {
    const taken = await takeFolder(backups, { dataDir: of, now: at })
    taken.release()
    return taken.cleared
  }
  // One that is under way is not begun twice, nor cleared by its own.
  const taken = await takeFolder(join(root, `${number}/elsewhere`), { dataDir, now })
  await expect(takeFolder(backups, { dataDir, now })).rejects.toThrow('is being made: wait for its end')
  taken.release()
  await expect(begin(other, '2026-11-29T11:00:00Z')).rejects.toThrow('is being made in')
  expect(await cleared(dataDir, now)).toBe(1)
  expect(await readdir(backups)).toEqual([basename(drafts[1]!.draft)])
  expect(await cleared(dataDir, new Date('2026-12-01T10:59:00Z'))).toBe(0)
  expect(await cleared(dataDir, new Date('2026-12-01T11:01:00Z'))).toBe(1)
  // What DATA_DIR keeps of its backups is in none of them.
  const { folder } = await take()
  const kept = await readdir(join(folder, 'data'))
  expect(kept.filter((name) => /backup/.test(name))).toEqual([])
  expect(JSON.parse(await readFile(join(dataDir, ofBackups.begun), 'utf8'))).toEqual([])
})

test('of a backup whose list is exchanged while it is restored, only what its seal has is believed', async () => {
  const { folder, seal } = await take()
  const { about } = await readBackup(folder)
  const forged = join(root, `${number}/forged`)
  await cp(folder, forged, { recursive: true })
  const text = JSON.stringify({ ...about, asOf: '2020-01-01T00:00:00.000Z' })
  await writeFile(join(forged, aboutName), text)
  const sums = (await readChecksums(forged)).set(aboutName, sha256(text))
  for (const list of [checksumsFile, checksumsDigestFile]) await rm(join(forged, list))
  await writeChecksums(forged, sums)

  const shown = join(root, `${number}/shown`)
  let isOver = false
  const exchange = async () => {
    for (let i = 0; !isOver; i++) {
      await symlink(i % 2 ? forged : folder, `${shown}-next`)
      await rename(`${shown}-next`, shown)
    }
  }
  const exchanging = exchange()
  const believed: string[] = []
  for (let i = 0; i < 300; i++) {
    const restored = join(root, `${number}/restored-${i}`)
    const done = await putBack(shown, restored, { seal }).catch(() => undefined)
    if (done) believed.push(done.about.asOf)
  }
  isOver = true
  await exchanging
  expect(new Set(believed)).toEqual(new Set([about.asOf]))
})

test('a file that somebody changed in a backup, with its list, is not shared with the next one', async () => {
  const first = await take()
  await rewrite(first.folder)
  const lines: string[] = []
  await sleep(1001 - (Date.now() % 1000))
  const log = (line: string) => void lines.push(line)
  const second = await takeBackup({ dataDir, to: backups, product: 'test', ownDatabase: true, log })
  expect((await readChecksums(second.folder)).get(poster)).toBe(sha256('a poster'))
  expect(lines.join()).toContain('every file is copied anew')
  // A rewritten one is passed over for an older one that is as it was made.
  await rewrite((await take()).folder, key)
  const last = await take()
  const links = async (folder: string) => (await stat(join(folder, poster))).ino
  expect(await links(last.folder)).toBe(await links(second.folder))
})

test('backups of versions that noted no seal are read, put back and gone on from', async () => {
  const first = await take()
  const noted = JSON.parse(await readFile(join(dataDir, ofBackups.last), 'utf8'))
  delete noted.seals
  await writeFile(join(dataDir, ofBackups.last), JSON.stringify(noted))
  expect(await checkBackup(first.folder, { placeFor: root })).toEqual([])
  const restored = join(root, `${number}/restored`)
  await (await putBack(first.folder, restored)).finish()
  expect(await readFile(join(restored, 'media-key'), 'utf8')).toBe('a key')
  const second = await take()
  expect((await stat(join(second.folder, poster))).ino).toBe((await stat(join(first.folder, poster))).ino)
})

test('a backup.json that was changed under the list is not restored', async () => {
  const { folder } = await take()
  const { about } = await readBackup(folder)
  await rename(join(folder, aboutName), join(root, 'as-it-was'))
  await writeFile(join(folder, aboutName), JSON.stringify({ ...about, asOf: '2020-01-01T00:00:00.000Z' }))
  const restored = join(root, `${number}/restored`)
  await expect(putBack(folder, restored)).rejects.toThrow('backup.json has other bytes')
})
