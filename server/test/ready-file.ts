import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pino } from 'pino'
import { putFile } from '../src/assets/put-file.ts'
import type { Config } from '../src/kernel/config.ts'
import { sql, type Caller } from '../src/kernel/database.ts'
import { makePerson, type Service } from './service.ts'

/**
 * A local file as somebody's upload, ready with everything derived, as `putFile` leaves it; answers its id. Each file is
 * taken in once in a service, which takes seconds of a processor, and copied for this and every later call: for tests of what
 * comes after.
 */
export const readyFile = async (
  service: Pick<Service, 'database' | 'identity' | 'config'>,
  author: Caller,
  path: string,
): Promise<string> => {
  const { database } = service
  const ofService = takenIn.get(database) ?? new Map<string, Promise<string>>()
  takenIn.set(database, ofService)
  const first = ofService.get(path) ?? takeIn(service, path)
  ofService.set(path, first)
  return copyFile(service, await first, { author_id: author.id, tenant_id: author.tenantId })
}

/** A copy of a ready file, with everything derived; `own` are the columns in which it is another one. Answers its id. */
export const copyFile = async (
  { database, config }: Pick<Service, 'database'> & { config: Pick<Config, 'dataDir'> },
  from: string,
  own: Readonly<Record<string, string | null>>,
): Promise<string> => {
  const id = randomUUID()
  const files = join(config.dataDir, 'media', 'assets')
  await cp(join(files, from), join(files, id), { recursive: true })
  const others = JSON.stringify({ ...own, id })
  await database.asSystem((tx) =>
    tx.count(sql`
      insert into asset select (jsonb_populate_record(a, ${others}::jsonb)).* from asset a where id = ${from}`),
  )
  return id
}

/**
 * As `putFile`, for files that are all alike, or of which the cuts are: the first is checked, and copied for every later one.
 */
export const putOnce = (
  config: Pick<Config, 'dataDir'>,
  { cutsAlone = false }: { cutsAlone?: boolean } = {},
): typeof putFile => {
  let first: string | undefined
  return async (database, author, file, how) => {
    const { fileName = basename(file.path), projectId = null } = file
    if (cutsAlone && projectId === null) return putFile(database, author, file, how)
    if (first === undefined) return (first = await putFile(database, author, file, how))
    how.signal?.throwIfAborted()
    const project = await database.asSystem((tx) =>
      tx.first(sql<{ tenantId: string | null }>`select tenant_id as "tenantId" from project where id = ${projectId}`),
    )
    return copyFile({ database, config }, first, {
      author_id: author.id,
      tenant_id: project ? project.tenantId : author.tenantId,
      project_id: projectId,
      purpose: file.isHeld ? 'clip' : project ? 'cut' : 'source',
      file_name: fileName,
    })
  }
}

/** By somebody whom no test knows: what is done to a file or to its author is done to a copy. */
const takeIn = async (service: Pick<Service, 'database' | 'identity'>, path: string) =>
  putFile(service.database, await makePerson(service, 'User'), { path }, { log: pino({ level: 'silent' }) })

/** The ids of what was taken in, by the file's path. */
const takenIn = new WeakMap<object, Map<string, Promise<string>>>()
