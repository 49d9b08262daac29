import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checksumsFile, checksumsDigestFile } from '../src/backup/checksums.ts'
import { aboutName } from '../src/backup/folder.ts'

export const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** A backup as somebody else may have written it: one file, and whatever paths its list and its database's folders name. */
export const writeBackup = async (
  root: string,
  more: { paths?: readonly string[]; folders?: readonly string[] } = {},
) => {
  const folder = join(root, 'backups/2026-11-22T04-16-27Z')
  const lines = ['data/postgres/password', ...(more.paths ?? [])].map((path) => `${hash('text')}  ${path}\n`)
  for (const path of ['data/postgres/password', ...(more.paths ?? [])]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    if (!/\/(\.\.)?$/.test(path)) await writeFile(join(folder, path), 'text')
  }
  const database = {
    version: '18.0',
    systemId: '1',
    startWal: '000000010000000000000001',
    stopLsn: '0/1',
    migrations: [],
    folders: ['base', 'base/1', ...(more.folders ?? [])],
  }
  const at = '2026-11-22T04:16:27.000Z'
  const about = { format: 1, product: '1.0.0', beganAt: at, asOf: at, database, missing: [] }
  await writeFile(join(folder, aboutName), JSON.stringify(about))
  lines.push(`${hash(JSON.stringify(about))}  ${aboutName}\n`)
  await writeFile(join(folder, checksumsFile), lines.join(''))
  await writeFile(join(folder, checksumsDigestFile), `${hash(lines.join(''))}  ${checksumsFile}\n`)
  return { folder, dataDir: join(root, 'restored/data') }
}
