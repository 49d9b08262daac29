import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { urls } from '../server/src/postgres/cluster.ts'
import { product } from './people.ts'

/** Changes rows in the database of this worker's product, behind its back and as its service; answers how many. */
export const behindItsBack = async (change: string, values: readonly unknown[] = []): Promise<number> => {
  const read = (name: string) => readFile(join(product().dataDir, 'postgres', name), 'utf8')
  const address = new URL(urls((await read('password')).trim(), Number(await read('port'))).superuserUrl)
  address.pathname = '/clear_to_post'
  const client = new pg.Client({ connectionString: address.href, options: '-c app.role=SYSTEM' })
  await client.connect()
  const { rowCount } = await client.query(change, [...values])
  await client.end()
  return rowCount ?? 0
}

/** As many videos as a person may send in a day are free again for each officer: journeys make a month's in minutes. */
export const letDayPass = () =>
  behindItsBack(`
    update project set submitted_at = submitted_at - interval '1 day'
    where user_id in (
      select user_id from project where submitted_at > now() - interval '1 day' group by user_id having count(*) > 15)`)
