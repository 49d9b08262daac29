import { link, mkdir, open, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { copyFile, inParallel, type Checksums } from './checksums.ts'

/** What the database knows of one person's file. */
export type NamedFile = { id: string; state: string; derived: Record<string, unknown>; sha256: string | null }

/** Where the files of one row lie below `media`, and whether the row is wrong when one is missing. */
export type Place = { path: string; sha256: string | null; mayBeMissing: boolean }

/**
 * The files that a row names: whatever stands in `derived` in the form of a file name, and while a file is being
 * received or checked its upload. Between the check and its admission the original lies in either place.
 */
export const placesOf = ({ id, state, derived, sha256 }: NamedFile): Place[] => {
  const names = [...new Set(namesIn(derived))]
  const places: Place[] = names.map((name) => ({
    path: `assets/${id}/${name}`,
    sha256: name === derived['original'] ? sha256 : null,
    mayBeMissing: name === derived['original'] && state === 'checking',
  }))
  if (['uploading', 'received', 'checking'].includes(state))
    places.push({
      path: uploadOf(id),
      sha256: null,
      mayBeMissing: state === 'uploading' || derived['original'] !== undefined,
    })
  return places
}

export const uploadOf = (id: string): string => `quarantine/${id}`

/** Copies people's files, so that in the end each that the database names is there. */
export type MediaCopy = {
  /** Copies what is named now and not copied yet. Answers how much that was. */
  catchUp: (onFile?: (bytes: number) => void) => Promise<{ files: number; bytes: number }>
  /**
   * To be called while no row of a file may change: opens what is still to be copied, so that it can be copied
   * afterwards even when it is removed meanwhile.
   */
  hold: () => Promise<void>
  copyHeld: () => Promise<void>
  sums: Checksums
  count: { copied: number; bytes: number }
  /** What is shared with the backup before. */
  linked: Set<string>
  /** Named by the database and not on the disk: lost before this backup began. */
  missing: string[]
  close: () => Promise<void>
}

/**
 * `from` and `to`: folders `media` of the product and of the backup. `before`: the files of an earlier backup, which are
 * linked instead of copied where nothing about them has changed: a file never changes once it is admitted.
 */
export const openMediaCopy = (
  client: pg.Client,
  { from, to, before }: { from: string; to: string; before?: { folder: string; sums: Checksums } | undefined },
): MediaCopy => {
  const sums: Checksums = new Map()
  const count = { copied: 0, bytes: 0 }
  const linked = new Set<string>()
  const missing: string[] = []
  const held: { path: string; handle: FileHandle }[] = []
  let seen = new Date(0)
  /** Rows of which a file was not there: whether that is a fault is seen when nothing may change. */
  const unsettled = new Set<string>()

  const keep = async (path: string, source: string | FileHandle): Promise<number> => {
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    const { size, sha256 } = await copyFile(source, join(to, path))
    sums.set(path, sha256)
    count.copied++
    count.bytes += size
    return size
  }
  const linkFromBefore = async (path: string): Promise<boolean> => {
    const sha256 = before && (await linkUnchanged(path, { from, to, before }))
    if (!sha256) return false
    sums.set(path, sha256)
    linked.add(path)
    return true
  }

  return {
    sums,
    count,
    linked,
    missing,
    catchUp: async (onFile = () => {}) => {
      const [{ now }] = (await client.query('select now()')).rows
      let files = 0
      let bytes = 0
      for await (const rows of rowsSince(client, seen)) {
        const places = rows
          .flatMap((row) => placesOf(row).map((place) => ({ ...place, id: row.id })))
          .filter(({ path }) => path.startsWith('assets/') && !sums.has(path))
        await inParallel(places, 4, async ({ id, path }) => {
          if (await linkFromBefore(path)) return
          // Removed since its row was read, or not admitted yet: what counts is what stands when the copy ends.
          const size = await keep(path, join(from, path)).catch(ifGone)
          if (size === undefined) return void unsettled.add(id)
          files++
          bytes += size
          onFile(size)
        })
      }
      seen = now
      return { files, bytes }
    },
    hold: async () => {
      const looked = new Set<string>()
      const { rows: doubtful } = await client.query<NamedFile>(
        'select id, state, derived, sha256 from asset where id = any($1)',
        [[...unsettled]],
      )
      for await (const rows of chained([doubtful], rowsSince(client, seen))) {
        for (const row of rows) {
          if (looked.has(row.id)) continue
          looked.add(row.id)
          const places = placesOf(row).filter(({ path }) => !sums.has(path))
          const opened = await openAll(from, places)
          // Admitted between two looks: it left the one place and came to the other.
          const again = opened.every((one) => one.handle) ? [] : await openAll(from, places)
          for (const [i, { path, mayBeMissing, handle }] of opened.entries()) {
            const other = again[i]?.handle
            const use = handle ?? other
            if (handle) await other?.close()
            if (use) held.push({ path, handle: use })
            else if (!mayBeMissing) missing.push(path)
          }
        }
      }
    },
    copyHeld: async () => {
      for (const { path, handle } of held.splice(0)) {
        await keep(path, handle)
        await handle.close()
      }
    },
    close: async () => {
      for (const { handle } of held.splice(0)) await handle.close()
    },
  }
}

/**
 * Links a file from an earlier backup instead of copying it, when its size and time are the same; answers its hash, or
 * undefined when it has to be copied: it changed, it is new, or the file system has no links.
 */
export const linkUnchanged = async (
  path: string,
  { from, to, before }: { from: string; to: string; before: { folder: string; sums: Checksums } },
): Promise<string | undefined> => {
  const sha256 = before.sums.get(path)
  if (!sha256) return undefined
  const [now, then] = await Promise.all(
    [join(from, path), join(before.folder, path)].map((file) => stat(file).catch(() => null)),
  )
  if (!now || !then || now.size !== then.size || Math.abs(now.mtimeMs - then.mtimeMs) > 1) return undefined
  await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
  return link(join(before.folder, path), join(to, path)).then(
    () => sha256,
    () => undefined,
  )
}

/** How many bytes of named files a first look would have to copy. */
export const sizeOfMedia = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query(
    `select coalesce(sum(file_size), 0)::float8 as size from asset where derived ? 'original' or state in ('received', 'checking')`,
  )
  return rows[0].size
}

/** Rows of files that changed since, and all that are under way: a thousand at a time. */
export async function* rowsSince(client: pg.Client, since: Date): AsyncGenerator<NamedFile[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    // A transaction may have begun long before it was committed, and its time is that of its beginning.
    const { rows } = await client.query<NamedFile>(
      `select id, state, derived, sha256 from asset
       where id > $1 and (modified_at > $2::timestamptz - interval '1 hour' or state in ('uploading', 'received', 'checking'))
       order by id limit 1000`,
      [after, since],
    )
    if (rows.length > 0) yield rows
    if (rows.length < 1000) return
    after = rows.at(-1)!.id
  }
}

async function* chained(first: NamedFile[][], then: AsyncGenerator<NamedFile[]>): AsyncGenerator<NamedFile[]> {
  yield* first
  yield* then
}

const openAll = (from: string, places: readonly Place[]) =>
  Promise.all(
    places.map(async (place) => ({ ...place, handle: await open(join(from, place.path), 'r').catch(ifGone) })),
  )

const namesIn = (value: unknown): string[] => {
  if (typeof value === 'string') return /^(\d+\/)?[a-z0-9-]+\.[a-z0-9]+$/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : []
}

const ifGone = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}
