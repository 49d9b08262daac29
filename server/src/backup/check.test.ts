import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, watch, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { environment } from '../../test/processes.ts'
import { writeBackup } from '../../test/written-backup.ts'
import { checkBackup } from './check.ts'
import { copyFile } from './checksums.ts'

/** What is on the disk while a backup is verified. These backups have the list and the files of a database, and no database in them. */
let root: string
let number = 0
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'clear-to-post-check-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

const paths = Array.from({ length: 400 }, (_, i) => `data/postgres/data/base/1/${1000 + i}`)
const last = paths.at(-1)!
const aBackup = async () => {
  const place = join(root, `${++number}`)
  const placeFor = join(place, 'tmp')
  await mkdir(placeFor, { recursive: true })
  const { folder } = await writeBackup(place, { paths: ['data/postgres/data/PG_VERSION', ...paths] })
  return { folder, placeFor, beside: dirname(folder) }
}
const copiesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.includes('checking-'))

/** Does something once, as soon as the folder of a copy is made there. */
const whenMade = (folder: string, work: (place: string) => void) => {
  const watcher = watch(folder, (_, name) => {
    if (!name?.includes('checking-') || !existsSync(join(folder, name))) return
    watcher.close()
    work(join(folder, name))
  })
  return watcher
}

test('a file that somebody changes once the copy has begun is named, and PostgreSQL does not start on it', async () => {
  const { folder, placeFor, beside } = await aBackup()
  let changed = 0
  const change = () => {
    changed++
    writeFileSync(join(folder, last), 'what they want PostgreSQL to do')
  }
  const watchers = [placeFor, beside].map((at) => whenMade(at, change))
  const faults = await checkBackup(folder, { placeFor })
  for (const watcher of watchers) watcher.close()
  expect(changed).toBe(1)
  expect(faults).toEqual([`${last} has other bytes than when it was backed up`])
})

test('of a file that grew since its size was asked, a throwaway copy takes no more than a piece', async () => {
  const [from, to] = [join(root, 'grown'), join(root, 'copied')]
  writeFileSync(from, Buffer.alloc(64 * 1024 * 1024))
  await copyFile(from, to, { most: 4 })
  expect(lstatSync(to).size).toBeLessThanOrEqual(1024 * 1024)
})

test('the copy lies among the temporary files, closed to others, and is gone afterwards', async () => {
  const { folder, placeFor, beside } = await aBackup()
  vi.stubEnv('TMPDIR', placeFor)
  const seen: { mode: string; beside: number }[] = []
  whenMade(placeFor, (place) => seen.push({ mode: (lstatSync(place).mode & 0o777).toString(8), beside: 0 }))
  const elsewhere = whenMade(beside, () => seen.push({ mode: '', beside: 1 }))
  const lines: string[] = []
  await checkBackup(folder, { log: (line) => lines.push(line) })
  elsewhere.close()
  expect(seen).toEqual([{ mode: '700', beside: 0 }])
  expect(lines).toEqual([])
  expect(await copiesIn(placeFor)).toEqual([])
  vi.stubEnv('TMPDIR', '')
  const ofDisk: string[] = []
  const watcher = watch('/var/tmp', (_, name) => void (name?.includes(`checking-${process.pid}-`) && ofDisk.push(name)))
  await checkBackup(folder)
  watcher.close()
  vi.unstubAllEnvs()
  expect(new Set(ofDisk).size).toBe(1)
})

test('without room among the temporary files the copy lies beside the backup, and what follows is said', async () => {
  const { folder, placeFor, beside } = await aBackup()
  const made: string[] = []
  whenMade(beside, (place) => made.push(place))
  const lines: string[] = []
  // Nobody can write there, and it has no room.
  await checkBackup(folder, { placeFor: '/proc', log: (line) => lines.push(line) })
  expect(made).toHaveLength(1)
  expect(lines).toEqual([expect.stringMatching(`^/proc has no room .* it lies in ${beside}, and who writes there`)])
  expect(await copiesIn(beside)).toEqual([])
  expect(await copiesIn(placeFor)).toEqual([])
})

test('the next run clears away the copy of a killed one, and nothing that is not its own', async () => {
  const { folder, placeFor } = await aBackup()
  const script = join(import.meta.dirname, '../main/backup.ts')
  const env = { ...environment, TMPDIR: placeFor, DATA_DIR: join(root, 'nowhere') }
  const killed = spawn(process.execPath, [script, 'verify', folder], { env, stdio: 'ignore' })
  whenMade(placeFor, () => killed.kill('SIGKILL'))
  await once(killed, 'close')
  const [left] = await copiesIn(placeFor)
  expect(left).toMatch(`clear-to-post-checking-${killed.pid}-`)
  const gone = spawnSync('true').pid
  const kept = [`clear-to-post-checking-${process.pid}-a`, `checking-${gone}-b`, `clear-to-post-checking-${gone}-link`]
  for (const name of kept.slice(0, 2)) await mkdir(join(placeFor, name))
  await symlink(folder, join(placeFor, kept[2]!))
  await checkBackup(folder, { placeFor })
  expect(await copiesIn(placeFor)).toEqual(kept.toSorted())
})
