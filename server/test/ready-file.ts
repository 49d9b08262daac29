import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { putFile } from '../src/assets/put-file.ts'
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
  const { database, config } = service
  const ofService = takenIn.get(database) ?? new Map<string, Promise<string>>()
  takenIn.set(database, ofService)
  const first = ofService.get(path) ?? takeIn(service, path)
  ofService.set(path, first)
  const [from, id] = [await first, randomUUID()]
  const files = join(config.dataDir, 'media', 'assets')
  await cp(join(files, from), join(files, id), { recursive: true })
  const own = JSON.stringify({ id, author_id: author.id, tenant_id: author.tenantId })
  await database.asSystem((tx) =>
    tx.count(sql`
      insert into asset select (jsonb_populate_record(a, ${own}::jsonb)).* from asset a where id = ${from}`),
  )
  return id
}

/** By somebody whom no test knows: what is done to a file or to its author is done to a copy. */
const takeIn = async (service: Pick<Service, 'database' | 'identity'>, path: string) =>
  putFile(service.database, await makePerson(service, 'User'), { path }, { log: pino({ level: 'silent' }) })

/** The ids of what was taken in, by the file's path. */
const takenIn = new WeakMap<object, Map<string, Promise<string>>>()
