import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, lstat, mkdir, mkdtemp, readdir, readFile, rename, statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { inLineForTerminal } from '@clear-to-post/contract/visible'
import { lockFile } from '../postgres/file-lock.ts'
import { isAlive } from '../postgres/processes.ts'
import { removeFolder } from './remove.ts'
import { checksumsFile, readChecksums, readOwn, refuseOddPaths, syncFolder, type Checksums } from './checksums.ts'

/**
 * A folder of backups holds one folder for each, named by the moment it began (`2026-11-22T04-16-27Z`), and what was
 * ended midway under `incomplete-…`. A backup: `backup.json`, `data/` as DATA_DIR is, SHA256SUMS of both and its seal.
 */
export const About = z.object({
  format: z.literal(1),
  product: z.string(),
  /** When it began, and when what it holds ends. */
  beganAt: z.iso.datetime(),
  asOf: z.iso.datetime(),
  /** Null: the database is on a server of the operator's, and is not in here. */
  database: z
    .object({
      version: z.string(),
      systemId: z.string(),
      startWal: z.string(),
      stopLsn: z.string(),
      migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
      /** Folders of the database, empty ones too. */
      folders: z.array(z.string()),
    })
    .nullable(),
  /** Named by the database and not on the disk: lost before this backup began. */
  missing: z.array(z.string()),
})
export type About = z.infer<typeof About>

export const aboutName = 'backup.json'
const incomplete = 'incomplete-'

/**
 * The list of a backup and what the backup says of itself, by that very list: read twice, somebody could lay another one there in
 * between. `seal`: what was kept of it elsewhere. Throws a sentence when either is missing, or not what it was.
 */
export const readBackup = async (folder: string, seal?: string): Promise<{ sums: Checksums; about: About }> => {
  const sums = await readChecksums(folder, seal)
  const text = await readOwn(join(folder, aboutName)).catch(() => {
    throw new Error(`${folder} is no backup: ${aboutName} is missing.`)
  })
  const listed = sums.get(aboutName)
  if (listed === undefined) throw new Error(`${aboutName} is not in ${checksumsFile}. Choose another backup.`)
  if (createHash('sha256').update(text).digest('hex') !== listed)
    throw new Error(`${aboutName} has other bytes than when it was backed up. Choose another backup.`)
  const about = About.parse(JSON.parse(text), {
    error: () => `${aboutName} is not of a form that this version knows: use the version that made the backup.`,
  })
  refuseOddPaths(aboutName, about.database?.folders ?? [])
  return { sums, about }
}

const ofBackup = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

/** The complete backups of a folder, oldest first. */
export const completeBackups = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => []))
    .filter((name) => ofBackup.test(name) && existsSync(join(folder, name, checksumsFile)))
    .sort()
    .map((name) => join(folder, name))

/** One backup: the folder itself, or the newest in a folder of them. Throws a sentence when there is none. */
export const chosenBackup = async (folder: string): Promise<string> => {
  if (
    existsSync(join(folder, aboutName)) ||
    existsSync(join(folder, checksumsFile)) ||
    existsSync(join(folder, 'data'))
  ) {
    if (folder.split('/').at(-1)!.startsWith(incomplete))
      throw new Error(`${folder} was ended midway and is not complete: choose another backup.`)
    return folder
  }
  const newest = (await completeBackups(folder)).at(-1)
  if (newest) return newest
  const halves = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(incomplete))
  throw new Error(
    halves.length > 0
      ? `${folder} holds no complete backup: ${halves.map(inLineForTerminal).join(', ')} was ended midway. Make one with npm run backup.`
      : `${folder} holds no backup.`,
  )
}

/** What a DATA_DIR keeps about its own backups, and no backup of it has: a copy is another DATA_DIR. */
export const ofBackups = { last: 'last-backup.json', lock: 'backup.lock', begun: 'begun-backups.json' } as const

/**
 * Takes the backups of a DATA_DIR for this process and clears what killed ones have left in the folder; answers how many that were.
 * The lock lies in DATA_DIR, where nobody else writes: a link in its place would be followed, and its file made where that leads. What
 * another DATA_DIR began in the folder may be under way, and is cleared when it is three days old.
 */
export const takeFolder = async (
  folder: string,
  { dataDir, now }: { dataDir: string; now: Date },
): Promise<{ cleared: number; release: () => void }> => {
  const lock = lockFile(join(dataDir, ofBackups.lock))
  if (!lock) throw new Error(`Another backup of ${dataDir} is being made: wait for its end.`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const begun = await begunBackups(dataDir)
    const left = (await readdir(folder)).filter(
      (name) => name.startsWith(incomplete) && (begun.includes(join(folder, name)) || !isYoung(name, now)),
    )
    for (const name of left) await removeFolder(join(folder, name))
    await noteBegun(
      dataDir,
      begun.filter((draft) => dirname(draft) !== folder),
    )
    return { cleared: left.length + (await clearCopies(folder)), release: lock.release }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Was what has this name begun in the last three days? */
const isYoung = (name: string, now: Date): boolean => {
  const [, day, time] = /(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)Z$/.exec(name) ?? []
  const began = Date.parse(`${day}T${time?.replaceAll('-', ':')}Z`)
  return began > now.getTime() - 3 * 86_400_000
}

const Begun = z.array(z.string())

/** The folders of backups that this DATA_DIR began and did not complete. */
const begunBackups = async (dataDir: string): Promise<string[]> => {
  const text = await readFile(join(dataDir, ofBackups.begun), 'utf8').catch(() => '[]')
  try {
    return Begun.safeParse(JSON.parse(text)).data ?? []
  } catch {
    return []
  }
}

const noteBegun = (dataDir: string, drafts: readonly string[]): Promise<void> =>
  writeWhole(join(dataDir, ofBackups.begun), drafts)

/** Makes the folder of a backup under a name that says it is not complete; its DATA_DIR has been told before. */
export const beginFolder = async (folder: string, { dataDir, beganAt }: { dataDir: string; beganAt: Date }) => {
  const name = beganAt
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  const [draft, final] = [join(folder, `${incomplete}${name}`), join(folder, name)]
  if (existsSync(final)) throw new Error(`${final} is there already: a backup never overwrites another one.`)
  if (existsSync(draft)) throw new Error(`Another backup is being made in ${folder}: wait for its end.`)
  const others = await begunBackups(dataDir)
  await noteBegun(dataDir, [...others, draft])
  await mkdir(draft, { mode: 0o700 })
  return {
    draft,
    final,
    complete: async () => {
      await syncFolder(draft)
      await rename(draft, final)
      await syncFolder(folder)
      await noteBegun(dataDir, others)
    },
  }
}

const ofCheck = 'clear-to-post-checking-'
const toStartOn = 128 * 1024 * 1024

/**
 * Makes a folder for a copy of the database, of so many `bytes`, on which PostgreSQL may start. It lies in `placeFor`, closed to
 * others: what somebody writes there PostgreSQL does. Without room there it lies in `beside`, among the backups, and `log` is told
 * what follows from it. What killed runs left in either is cleared away. Throws a sentence when neither has room.
 */
export const placeToCheck = async (input: {
  bytes: number
  placeFor: string
  beside: string
  log: (line: string) => void
}): Promise<string> => {
  const { bytes, log } = input
  const [first, second] = [resolve(input.placeFor), resolve(input.beside)]
  const needed = bytes + toStartOn
  for (const folder of [first, second]) await clearCopies(folder)
  const freeIn = (folder: string) =>
    access(folder, constants.W_OK | constants.X_OK).then(
      () => bytesFree(folder),
      () => 0,
    )
  const placeIn = (folder: string) => mkdtemp(join(folder, `${ofCheck}${process.pid}-`))
  if ((await freeIn(first)) >= needed) return placeIn(first)
  if ((await freeIn(second)) < needed)
    throw new Error(
      `Neither ${first} nor ${second} has room for a copy of the database on which PostgreSQL starts (${words(needed)}): make room, or set TMPDIR to a folder that has.`,
    )
  log(
    `${first} has no room for a copy of the database (${words(needed)}): it lies in ${second}, and who writes there now decides what PostgreSQL does. TMPDIR names another folder`,
  )
  return placeIn(second)
}

/** Clears away the copies that killed processes of this account left in a folder; answers how many that were. */
const clearCopies = async (folder: string): Promise<number> => {
  let cleared = 0
  for (const name of await readdir(folder).catch(() => [])) {
    // Somebody may be verifying at this moment: their process is in the name.
    const checkedBy = name.startsWith(ofCheck) ? Number(/^\d+(?=-)/.exec(name.slice(ofCheck.length))?.[0]) : 0
    if (!checkedBy || (await isAlive(checkedBy))) continue
    const found = await lstat(join(folder, name)).catch(() => undefined)
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    // A folder of backups that cannot be written to keeps what it has.
    await removeFolder(join(folder, name)).then(
      () => cleared++,
      () => {},
    )
  }
  return cleared
}

export const bytesFree = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export const words = (bytes: number): string => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let at = 0
  let size = bytes
  while (size >= 1000 && at < units.length - 1) {
    size /= 1000
    at++
  }
  return `${at === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[at]}`
}

/** The last backup of a DATA_DIR that came to its end. */
export const LastBackup = z.object({
  asOf: z.iso.datetime(),
  folder: z.string(),
  hasDatabase: z.boolean(),
  /** The seals of the last backups by their folders, where nobody changes them who has those folders; older versions kept none. */
  seals: z.record(z.string(), z.string()).optional(),
})
/** As many as two years of nights. */
const mostSeals = 700
export type LastBackup = z.infer<typeof LastBackup>
/** What `npm run backup` noted in DATA_DIR at its last success; undefined when there was none, or nobody can read it. */
export const readLastBackup = async (dataDir: string): Promise<LastBackup | undefined> => {
  const text = await readFile(join(dataDir, ofBackups.last), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return LastBackup.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/**
 * The seal that a DATA_DIR noted of a backup. `given` is what was asked for: the backup itself, or the folder of which it is the newest.
 * Throws a sentence where this DATA_DIR did not make it, and made some in that folder, or earlier ones beside it: who has the
 * folder may have put it there, given a rewritten one another name, or made the folder itself look like a backup.
 */
export const notedSeal = (last: LastBackup | undefined, folder: string, given: string): string | undefined => {
  const seals = last?.seals ?? {}
  if (seals[folder] !== undefined) return seals[folder]
  const madeHere = Object.keys(seals)
  const isEarlier = (other: string) => dirname(other) === dirname(folder) && other < folder
  const isOfGiven = madeHere.some((other) => dirname(other) === given)
  if (isOfGiven || (ofBackup.test(basename(folder)) && madeHere.some(isEarlier)))
    throw new Error(
      `This DATA_DIR made backups in ${isOfGiven ? given : dirname(folder)}, and did not make ${basename(folder)}: somebody put it there, renamed it, or took away what is newer. Name another backup, or give this one’s seal with --seal.`,
    )
  return undefined
}

export const noteLastBackup = async (
  dataDir: string,
  { seal, ...last }: Omit<LastBackup, 'seals'> & { seal: string },
): Promise<void> => {
  const before = Object.entries((await readLastBackup(dataDir))?.seals ?? {})
  const seals = Object.fromEntries([...before, [last.folder, seal]].slice(-mostSeals))
  await writeWhole(join(dataDir, ofBackups.last), { ...last, seals })
}

/** Writes a file that is there as it was or as it is to be. */
const writeWhole = async (path: string, value: unknown): Promise<void> => {
  const draft = join(dirname(path), `.${basename(path)}`)
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, path)
}
