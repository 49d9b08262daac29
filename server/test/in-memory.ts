import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../src/postgres/processes.ts'

/**
 * A folder of this process for databases, in memory where Linux has room there, else among the temporary files. A database is
 * a thousand files, made just after another test removed as many: ext4 passes over each number of a file that was removed
 * within five seconds, which takes ten times as long as to copy them (decision 690). Nothing may be run from there.
 */
export async function folderInMemory(name: string): Promise<string> {
  return mkdtemp(join((await hasRoom()) ? memory : tmpdir(), `${prefix}${process.pid}-${name}-`))
}

/** Killed runs leave their folders; those of living ones stay. */
export async function removeAbandonedFolders(): Promise<void> {
  for (const place of new Set([memory, tmpdir()]))
    for (const name of await readdir(place).catch(() => [])) {
      const [, holder] = name.startsWith(prefix) ? (/^(\d+)-/.exec(name.slice(prefix.length)) ?? []) : []
      if (holder && !(await isAlive(Number(holder)))) await rm(join(place, name), { recursive: true, force: true })
    }
}

const prefix = 'clear-to-post-test-'
const memory = '/dev/shm'
const enough = 3 * 2 ** 30

/** Containers have little there. */
async function hasRoom(): Promise<boolean> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > enough && process.availableMemory() > enough
}
