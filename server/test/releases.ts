import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { readMigrations } from '../src/postgres/migrate.ts'

/**
 * What releases have left behind: a data folder of each, and the migrations that may never change again. Both lists only
 * grow, by `npm run release-fixture` when a release is made (CONTRIBUTING.md). Lines as of `sha256sum`.
 */
export const fixtures = resolve(import.meta.dirname, 'releases')
export const fixtureList = join(fixtures, 'SHA256SUMS')
export const migrationList = resolve(import.meta.dirname, '../migrations/RELEASED')

export const readList = async (path: string): Promise<{ name: string; sha256: string }[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ sha256: line.slice(0, 64), name: line.slice(66) }))

export const writeLines = (list: readonly { name: string; sha256: string }[]): string =>
  list.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')

/** What is wrong with migrations, as sentences: released ones stay as they were and new ones stand behind them. */
export const faultsOfMigrations = (
  released: readonly { name: string; sha256: string }[],
  now: readonly { name: string; sha256: string }[],
): string[] => {
  const last = released.at(-1)?.name ?? ''
  const known = new Map(released.map(({ name, sha256 }) => [name, sha256]))
  const gone = released.filter(({ name }) => !now.some((one) => one.name === name))
  return [
    ...gone.map(({ name }) => `${name} was released and is gone: put it back.`),
    ...now.flatMap(({ name, sha256 }) => {
      if (known.has(name))
        return known.get(name) === sha256 ? [] : [`${name} was released and changed: put it back, and write a new one.`]
      return name < last
        ? [`${name} is new and stands before ${last}, which was released: give it a higher number.`]
        : []
    }),
  ]
}

export const migrationsNow = async () => (await readMigrations()).map(({ name, sha256 }) => ({ name, sha256 }))

/** The fixtures that lie there, in the order in which the list has them; what it does not name yet is the newest. */
export const packed = async (): Promise<{ name: string; sha256: string }[]> => {
  const listed = (await readList(fixtureList)).map(({ name }) => name)
  const names = (await readdir(fixtures)).filter((name) => name.endsWith('.tar.zst'))
  const inOrder = [...listed.filter((name) => names.includes(name)), ...names.filter((name) => !listed.includes(name))]
  return Promise.all(
    inOrder.map(async (name) => ({
      name,
      sha256: createHash('sha256')
        .update(await readFile(join(fixtures, name)))
        .digest('hex'),
    })),
  )
}

/** Packs a folder; its files count as nobody's and of no time, so that only what they say counts. */
export const pack = async (folder: string, file: string): Promise<void> => {
  const plain = ['--sort=name', '--mtime=@0', '--numeric-owner', '--owner=0', '--group=0']
  const tar = spawn('tar', ['--create', ...plain, '-C', folder, '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  // PostgreSQL's template databases are nearly the same three times: far enough back to see it.
  const params = {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_windowLog]: 27,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  }
  await Promise.all([pipeline(tar.stdout!, createZstdCompress({ params }), createWriteStream(file)), ended(tar)])
}

export const unpack = async (file: string, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  // With --ignore-zeros tar reads to the end of its input; without, it may be gone before the pipe has been closed.
  const args = ['--extract', '--ignore-zeros', '--no-same-owner', '-C', folder]
  const tar = spawn('tar', args, { stdio: ['pipe', 'ignore', 'inherit'] })
  const unzstd = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 27 } })
  await Promise.all([pipeline(createReadStream(file), unzstd, tar.stdin!), ended(tar)])
}

const ended = async (tar: ReturnType<typeof spawn>) => {
  const [code] = (await once(tar, 'close')) as [number | null]
  if (code !== 0) throw new Error(`tar failed (${code})`)
}
