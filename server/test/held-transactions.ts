import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/**
 * The last statements of connections that go on holding a transaction while they ask nothing, for a second. Of a reading call the
 * end may still be under way for a moment.
 */
export const heldTransactions = async (superuserUrl: string): Promise<string[]> => {
  const superuser = new pg.Client({ connectionString: superuserUrl })
  await superuser.connect()
  try {
    for (let left = 50; ; left--) {
      const { rows } = await superuser.query<{ query: string }>(
        `select query from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
      )
      if (rows.length === 0 || left === 0) return rows.map(({ query }) => query)
      await setTimeout(20)
    }
  } finally {
    await superuser.end()
  }
}
