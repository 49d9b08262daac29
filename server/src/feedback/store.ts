import type { Criterion } from '@clear-to-post/domain/feedback'
import { sql, type Reader, type Tx } from '../kernel/database.ts'

/** The list that an ADMIN has set; undefined as long as nobody has. */
export const keptCriteria = (tx: Reader) =>
  tx.first(sql<{ criteria: Criterion[]; revision: number }>`select criteria, revision from feedback_criteria`)

/** Puts the list in the place of its `revision` (0: nobody has set one). Answers 0 when another stands there meanwhile. */
export const keepCriteria = (tx: Tx, criteria: readonly Criterion[], revision: number, now: Date) =>
  tx.count(sql`
    insert into feedback_criteria (criteria, revision, modified_at) values (${JSON.stringify(criteria)}, ${revision + 1}, ${now})
    on conflict (single) do update
      set criteria = excluded.criteria, revision = excluded.revision, modified_at = excluded.modified_at
      where feedback_criteria.revision = ${revision}`)
