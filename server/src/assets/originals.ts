import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Light } from '@clear-to-post/edit/balance'
import type { TakeLog } from '@clear-to-post/domain/take-log'
import type { Probe } from '@clear-to-post/media/probe'
import { sql, type Database, type Reader, type Tx } from '../kernel/database.ts'
import { storage, type Copies } from '../outside/storage.ts'
import { isForProject, type AssetRow, type Derived } from './store.ts'

/**
 * What is known of a checked file: its name among the asset's files, its sha-256, what was found in it, what its pictures
 * are like (missing where an earlier release examined the file), and the names of its proxy (missing until it is made) and of
 * the file of how loud it is heard to be.
 */
export type KnownOriginal = {
  id: string
  name: string
  hash: string
  probe: Probe
  light?: Light | undefined
  proxyName?: string | undefined
  peaksName?: string | undefined
  /** By how many decibels it is louder once its voice is cleaned; missing until that was measured. */
  cleanedBy?: number | undefined
  /** How its camera shook; missing until that was measured. */
  shake?: Derived['shake'] | undefined
  /** The room that is heard in it; missing until somebody looked. */
  tone?: Derived['tone'] | undefined
  /** What its recorder noted; missing of a file that was chosen. */
  log?: TakeLog | undefined
}

/** The same with its local copies, which stay for as long as they are held. */
export type Original = Omit<KnownOriginal, 'proxyName' | 'peaksName'> & {
  path: string
  proxy?: string | undefined
  peaks?: string | undefined
}

/**
 * The originals of these files, by id, as far as they are still there; `for`: and as far as this project's edit may show
 * them. For the service's own jobs.
 */
export const originalsOf = async (
  tx: Reader,
  ids: readonly string[],
  { for: projectId }: { for?: string } = {},
): Promise<Map<string, KnownOriginal>> => {
  const rows = await tx.rows(sql<
    Pick<AssetRow, 'id' | 'derived'> & { sha256: string; probe: Probe; take_log: TakeLog | null }
  >`
    select id, derived, sha256, probe, take_log from asset
    where id = any(${ids}) and state = 'ready' and sha256 is not null and probe is not null
      and ${projectId === undefined ? sql`true` : isForProject(projectId)}`)
  return new Map(
    rows.flatMap(
      ({
        id,
        derived: { original: name, light, proxy, peaks, cleanedBy, shake, tone },
        sha256: hash,
        probe,
        take_log,
      }) =>
        name
          ? [
              [
                id,
                {
                  id,
                  name,
                  hash,
                  probe,
                  light,
                  proxyName: proxy,
                  peaksName: peaks,
                  cleanedBy,
                  shake,
                  tone,
                  log: take_log ?? undefined,
                },
              ] as const,
            ]
          : [],
    ),
  )
}

/**
 * The originals with local copies, as far as they are still there: a storage that lost a file is known at once, not after
 * every try of a job. No transaction is open meanwhile: a copy may come from far.
 */
export const copiedHere = async (
  local: Copies,
  known: ReadonlyMap<string, KnownOriginal>,
  { withMade = false }: { withMade?: boolean } = {},
): Promise<Map<string, Original>> => {
  const found = new Map<string, Original>()
  for (const [id, { proxyName, peaksName, ...one }] of known) {
    const path = await local.of(id, one.name)
    if (path === undefined) continue
    const madeOf = async (name: string | undefined) => (withMade && name ? local.of(id, name) : undefined)
    found.set(id, { ...one, path, proxy: await madeOf(proxyName), peaks: await madeOf(peaksName) })
  }
  return found
}

/** Keeps how much louder a file is once its voice is cleaned, in decibels, while its files are there. */
export const keepCleaned = async (tx: Tx, id: string, cleanedBy: number): Promise<void> => {
  await tx.count(sql`
    update asset set derived = derived || jsonb_build_object('cleanedBy', ${cleanedBy}::float8)
    where id = ${id} and derived ? 'original'`)
}

/** Keeps what was measured of a file as a file of its own beside it, while its files are there; without `file` that nobody can tell. */
export const keepMeasured = async <What extends 'shake' | 'tone'>(
  database: Pick<Database, 'asSystem'>,
  id: string,
  what: What,
  {
    file,
    ...more
  }: Omit<NonNullable<Derived[What]>, 'path'> & { file: { name: string; bytes: string | Buffer } | null },
): Promise<void> => {
  const path = file && (await written(id, what, file))
  await database.asSystem((tx) =>
    tx.count(sql`
      update asset set derived = derived || ${JSON.stringify({ [what]: { path, ...more } })}::jsonb
      where id = ${id} and derived ? 'original'`),
  )
}

/** Where what was measured of a file lies, each alone. Folders of attempts begin with no 0, those of mended files with one. */
const folders = { shake: '001', tone: '002' } as const

const written = async (
  id: string,
  what: keyof typeof folders,
  { name, bytes }: { name: string; bytes: string | Buffer },
): Promise<string> => {
  await storage().requireRoom('work')
  await writeFile(join(await storage().makeFolder(id, folders[what]), name), bytes)
  await storage().settle(id, `${folders[what]}/${name}`)
  return `${folders[what]}/${name}`
}
