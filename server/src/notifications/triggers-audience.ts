import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Criteria } from '@clear-to-post/contract/notifications'
import { sql, type Tx } from '../kernel/database.ts'
import { isEntitled } from '../subscriptions/actions.ts'
import { hasDutySql } from '../kernel/domain-sql.ts'

/** Whom a trigger means. `tenantIds` null: everybody's people, also those of no company. */
export type Audience = { criteria: z.output<typeof Criteria>; tenantIds: readonly string[] | null }

/** The next people of an audience as it is now, by id, after `after`. As the service: it must see what they did and have. */
export const nextOfAudience = (tx: Tx, audience: Audience, now: Date, after: string | null, limit: number) =>
  tx.rows(sql<{ id: string }>`
    select p.id from person p where ${isMeant(audience, now)} and ${after === null ? sql`true` : sql`p.id > ${after}`}
    order by p.id limit ${sql.raw(String(limit))}`)

/** How many people an audience has now. As the service. */
export const sizeOfAudience = async (tx: Tx, audience: Audience, now: Date): Promise<number> =>
  (await tx.first(sql<{ n: number }>`select count(*) as n from person p where ${isMeant(audience, now)}`))!.n

// Loan officers only: triggers bring back those who film.
const isMeant = ({ criteria, tenantIds }: Audience, now: Date): RawBuilder<unknown> => sql`
  ${hasDutySql(sql`p.role`, 'film')} and not p.is_disabled and p.removed_at is null
  and ${tenantIds === null ? sql`true` : sql`p.tenant_id = any(${tenantIds as string[]}::uuid[])`}
  and ${chosenBy(criteria, now)}`

const chosenBy = (criteria: Audience['criteria'], now: Date): RawBuilder<unknown> => {
  switch (criteria.type) {
    case 'allUsers':
      return sql`true`
    case 'noProjects': {
      const since = new Date(now.getTime() - criteria.params.days * 86_400_000)
      return sql`not exists (select from project j where j.user_id = p.id and j.submitted_at >= ${since})`
    }
    case 'noSubscription':
      return sql`not ${isEntitled(now)}`
    case 'usersFromTier':
      return isEntitled(now, criteria.params.productIds)
  }
}
