import type { RawBuilder } from 'kysely'
import { graceDays } from '@clear-to-post/domain/plans'
import { sql } from './database.ts'

/**
 * The domain's `entitles` for many people at once, as a condition on `person` p: something runs for them that entitles
 * them now, their own or their active tenant's; with `productIds` only a plan of these counts. A test holds the two
 * together. For the service only: others do not see everybody's subscriptions.
 */
export const isEntitled = (now: Date, productIds?: readonly string[]): RawBuilder<unknown> => {
  const counts = sql`
    ${entitlesNow(now)}
    ${productIds ? sql`and l.product_id = any(${productIds as string[]}::text[])` : sql``}`
  // Asked as two sets: each is made once, instead of a look for every person.
  return sql`(
    p.id in (select s.user_id from subscription s join plan l on l.id = s.plan_id where s.user_id is not null and ${counts})
    or (p.tenant_id is not null and p.tenant_id in (
      select s.tenant_id from subscription s join plan l on l.id = s.plan_id join tenant t on t.id = s.tenant_id and t.is_active
      where ${counts})))`
}

/** Whether a subscription s entitles now whom it is for. */
export const entitlesNow = (now: Date): RawBuilder<unknown> => sql`(
  not ${isSurplus} and (s.paused_from is null or s.paused_from > ${now})
  and s.status in ('active', 'trialing', 'past_due')
  and coalesce(least(s.owed_since, case when s.status = 'past_due' then s.current_period_start end)
    > ${daysBefore(now, graceDays)}, true))`

/** Whether a subscription s runs, whether or not it entitles anybody now. */
export const isRunning: RawBuilder<unknown> = sql`s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')`

const isCharged = (one: RawBuilder<unknown>) =>
  sql`${one}.provider_id is not null and ${one}.status in ('active', 'trialing', 'past_due')`
/** Whether a subscription s was paid although an earlier one of the same payer runs: what `surplusIds` lists. */
export const isSurplus: RawBuilder<unknown> = sql`(${isCharged(sql`s`)} and exists (
  select from subscription earlier where ${isCharged(sql`earlier`)}
    and (earlier.user_id = s.user_id or earlier.tenant_id = s.tenant_id)
    and (earlier.start_date, earlier.provider_id) < (s.start_date, s.provider_id)))`

/** Whether the provider charges a subscription o again when its period ends. */
export const goesOnCharging: RawBuilder<unknown> = sql`(
  ${isCharged(sql`o`)} and o.ends_at is null and o.paused_from is null
  and exists (select from subscription s where s.id = o.id and not ${isSurplus}))`

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000)
