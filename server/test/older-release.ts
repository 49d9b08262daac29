import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readMigrations } from '../src/postgres/migrate.ts'

const root = resolve(import.meta.dirname, '../..')
const git = async (...args: string[]) =>
  (await promisify(execFile)('git', ['-C', root, ...args], { maxBuffer: 2 ** 26 })).stdout.trim()

/**
 * The oldest code that may run on the schema of this code (decision 460), as it stood in the repository, put into `folder`; or
 * the commit that OLDER names. Undefined where there is no history.
 */
export const bringOlderCode = async (folder: string): Promise<{ root: string; commit: string } | undefined> => {
  const commit = process.env.OLDER ?? (await oldestThatMayRun().catch(() => undefined))
  if (!commit) return undefined
  await mkdir(folder, { recursive: true })
  const archive = spawn('git', ['-C', root, 'archive', commit], { stdio: ['ignore', 'pipe', 'inherit'] })
  const tar = spawn('tar', ['--extract', '-C', folder], { stdio: [archive.stdout, 'ignore', 'inherit'] })
  const [code] = (await once(tar, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the code of ${commit} could not be unpacked`)
  // Its packages are ours, but its rooms are its own.
  const packages = join(root, 'node_modules')
  const rooms = '@clear-to-post'
  await mkdir(join(folder, 'node_modules', rooms), { recursive: true })
  for (const name of await readdir(packages))
    if (name !== rooms && !name.startsWith('.')) await symlink(join(packages, name), join(folder, 'node_modules', name))
  for (const name of await readdir(join(packages, rooms)))
    await symlink(join(folder, name), join(folder, 'node_modules', rooms, name))
  return { root: folder, commit }
}

/** The newest commit of this branch whose last migration is the highest floor of all. */
const oldestThatMayRun = async (): Promise<string | undefined> => {
  const floor = (await readMigrations()).map((one) => one.floor).reduce((one, other) => (one > other ? one : other))
  for (const commit of (await git('rev-list', '--first-parent', 'HEAD')).split('\n')) {
    const names = await git('ls-tree', '--name-only', commit, 'server/migrations/')
    const numbers = [...names.matchAll(/\/(\d{4})_/g)].map(([, number]) => number!)
    if (numbers.length > 0 && numbers.reduce((one, other) => (one > other ? one : other)) <= floor) return commit
  }
  return undefined
}
