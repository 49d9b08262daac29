import type { RawBuilder } from 'kysely'
import { sql } from './database.ts'

/** Whether what notice `n` said by its cause has ended: said again, it is of another cause. */
export const isOver: RawBuilder<boolean> = sql`(n.metadata ? 'isOver')`
