import {
  givenBack,
  rightToEnter,
  termsOf,
  type MonthProgress,
  type MonthUse,
  type Terms,
  type WaitReason,
} from '@clear-to-post/domain/plans'
import { sql, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import {
  extrasByMonth,
  freeExtra,
  freeIdleExtras,
  giveFreeVideoBack,
  holdPlan,
  submitRightsOf,
  takeExtra,
  useFreeVideo,
} from '../subscriptions/actions.ts'
import { hasDutySql, statusSql } from '../kernel/domain-sql.ts'

type Counted = {
  id: string
  tenant_id: string | null
  user_id: string
  is_free: boolean
  used_at: Date | null
  paid_by: string | null
  paid_plan: string | null
}

/** `elsewhere`: of another company, on a plan of the officer's own. `first`: what waits for the company where the officer is, if another one. */
type Counts = MonthProgress & { elsewhere: number; first: number }

/**
 * What is counted for a month of an officer at a company, and beside it, at others. Locks the count until the transaction ends, so that
 * two submissions cannot share the last one.
 */
export const quotaUsed = (tx: Tx, userId: string, month: string, tenantId: string | null): Promise<Counts> =>
  // Whoever takes a counted step, the service counts it: the officer may stand in no company that this actor serves.
  asService(tx, async () => {
    await tx.count(
      sql`insert into quota_use (user_id, month, used) values (${userId}, ${month}, 0) on conflict do nothing`,
    )
    const { used } = (await tx.first(sql<{ used: number }>`
      select used from quota_use where user_id = ${userId} and month = ${month} for update`))!
    const { others, ...progress } = (await tx.first(sql<Omit<Counts, 'used' | 'extras'> & { others: number }>`
      select count(*) filter (where ${isWaiting} and not ${isElsewhere(tenantId)})::integer as waiting,
        count(*) filter (where p.paid_by is not null and not ${isElsewhere(tenantId)})::integer as "onPlan",
        count(*) filter (where ${isCountedElsewhere(tenantId)})::integer as others,
        count(*) filter (where ${isElsewhere(tenantId)} and ${isOnOwnPlan})::integer as elsewhere,
        count(*) filter (where ${isElsewhere(tenantId)} and ${isWaiting}
          and p.tenant_id = (select o.tenant_id from person o where o.id = p.user_id))::integer as first
      from project p where p.user_id = ${userId} and p.submit_month = ${month} and not p.is_free`))!
    const extras = (await extrasByMonth(tx, userId, [month], tenantId)).get(month) ?? 0
    return { used: Math.max(0, used - others), extras, ...progress }
  })

/** Whether a project p has not entered the queue. */
const isWaiting = sql`(p.status = ${statusSql.scheduled} and p.final_video_id is null)`

/** Whether a project p is another company's than this one; what is no company's is of whichever its officer is in. */
const isElsewhere = (tenantId: string | null) => sql`coalesce(p.tenant_id <> ${tenantId}::uuid, false)`

/** Whether a project p is counted for its month, and is another company's: it takes nothing of this company's plan. */
const isCountedElsewhere = (tenantId: string | null) =>
  sql`(${isElsewhere(tenantId)} and (${isWaiting} or p.used_at is not null))`

/** Whether a project p entered the queue on a plan that its officer pays. */
const isOnOwnPlan = sql`exists (select from subscription s where s.id = p.paid_by and s.user_id = p.user_id)`

/**
 * What counts for the plan that gives these rights: for one of the officer's own, also what entered on it for another company.
 * `isLast`: and what goes first.
 */
export const countedFor = ({ isOwn }: { isOwn: boolean }, use: Counts, isLast = false): Counts => {
  const more = (isOwn ? use.elsewhere : 0) + (isLast ? use.first : 0)
  return { ...use, used: use.used + more, onPlan: use.onPlan + more }
}

/**
 * Counts one project of a month by this right. Throws `project.quota-used` when the last bought video went meanwhile, and
 * `project.no-plan` when the free video did. `isAgain`: a free project that was given back counts once more.
 */
export const useQuota = (
  tx: Tx,
  { id, user_id: userId, tenant_id }: Pick<Counted, 'id' | 'user_id' | 'tenant_id'>,
  month: string,
  right: 'plan' | 'free' | 'extra',
  { isAgain = false, now }: { isAgain?: boolean; now: Date },
): Promise<void> =>
  asService(tx, async () => {
    if (right === 'free') {
      await useFreeVideo(tx, id, { isAgain, now })
      await tx.count(sql`update person set free_projects = free_projects + 1 where id = ${userId}`)
      return
    }
    if (right === 'extra') await takeExtra(tx, userId, month, tenant_id)
    await tx.count(sql`
      insert into quota_use (user_id, month, used) values (${userId}, ${month}, 1)
      on conflict (user_id, month) do update set used = quota_use.used + 1`)
  })

/** Takes a project out of a month's count. A plan's video that comes back stands in for one that was bought. */
export const giveQuotaBack = (tx: Tx, project: Counted, month: string): Promise<void> =>
  asService(tx, async () => {
    const { id, user_id: userId, tenant_id, is_free, used_at, paid_by, paid_plan } = project
    await unmarkUsed(tx, id)
    if (is_free) {
      await giveFreeVideoBack(tx, id)
      await tx.count(sql`update person set free_projects = greatest(free_projects - 1, 0) where id = ${userId}`)
      return
    }
    const { extraFreed } = givenBack(await quotaUsed(tx, userId, month, tenant_id), { hadEntered: used_at !== null })
    if (extraFreed) {
      await freeExtra(tx, userId, month, tenant_id)
      if (paid_by !== null)
        await tx.count(sql`
          update project set paid_by = ${paid_by}, paid_plan = ${paid_plan} where id = (
            select id from project p where user_id = ${userId} and submit_month = ${month} and used_at is not null
              and paid_by is null and not is_free and id <> ${id} and not ${isElsewhere(tenant_id)}
            order by used_at desc limit 1)`)
    }
    await tx.count(
      sql`update quota_use set used = greatest(used - 1, 0) where user_id = ${userId} and month = ${month}`,
    )
    await freeIdle(tx, userId, month, id)
  })

/**
 * What was bought for videos of this month and stands for none of them is spare again. `leaving`: a project that counts there no
 * more. As the service, under the lock of the count.
 */
const freeIdle = async (tx: Tx, userId: string, month: string, leaving: string | null = null): Promise<void> => {
  const videos = await tx.rows(sql<{ company: string | null; videos: number }>`
    select p.tenant_id as company, count(*)::integer as videos from project p
    where p.user_id = ${userId} and p.submit_month = ${month} and not p.is_free
      and p.id is distinct from ${leaving}::uuid and p.paid_by is null and (${isWaiting} or p.used_at is not null) group by 1`)
  await freeIdleExtras(tx, userId, month, videos)
}

/**
 * A project enters the queue on this plan; null: on the free video, or on one bought by itself. It counts from this moment
 * on, and not from when it was asked for: a period of the plan may have begun while it waited.
 */
export const markUsed = (tx: Tx, projectId: string, paidBy: PaidBy | null, now: Date) =>
  tx.count(sql`
    update project set used_at = greatest(${now}::timestamptz, clock_timestamp()), paid_by = ${paidBy?.subscriptionId ?? null},
      paid_plan = ${paidBy?.planId ?? null} where id = ${projectId}`)

/** What pays for a project: a subscription, and the plan that it has as the project enters the queue. */
export type PaidBy = { subscriptionId: string | null; planId: string | null }

/** A project is out of the queue again as if it had never been in it. */
export const unmarkUsed = (tx: Tx, projectId: string) =>
  tx.count(sql`update project set used_at = null, paid_by = null, paid_plan = null where id = ${projectId}`)

/** A project that waits for its month, as the question whether it may enter the queue finds it. */
export type WaitingProject = Counted & { submit_month: string }

/**
 * The right by which a waiting project may enter the queue in this month, with what it is promised then; or why it may not.
 * Locks the counts it rests on. Who is shut out, or films no more, has none: nobody could use what is made. `former`: the company
 * of a video whose officer is in another one by now. A former company is not told what became of them: of its video no plan pays
 * for, whoever they are by now.
 */
export const rightNow = async (tx: Tx, project: WaitingProject, month: string, now: Date) => {
  const { user_id: userId, is_free: isFree, submit_month } = project
  const officer = (await asService(tx, () => officerOf(tx, userId, project.tenant_id)))!
  if (!officer.is_active)
    return officer.left === null
      ? { waits: 'officer-inactive' as const, former: null }
      : { waits: 'no-plan' as const, former: officer.left }
  const former = officer.tenant_id === null ? null : officer.left
  const tenantId = project.tenant_id ?? officer.tenant_id
  // In the order of months, like everybody who locks two of them.
  const months = [...new Set([submit_month, month])].sort()
  const counts = new Map<string, Counts>()
  for (const one of isFree ? [] : months) counts.set(one, await quotaUsed(tx, userId, one, tenantId))
  const rights = await submitRightsOf(tx, userId, now, project)
  const full = isFree ? {} : await holdPlan(tx, rights, month, now)
  // What the officer was told that they may send in where they are, goes before what waits at a former company for the same plan.
  const isLast = former !== null && rights.isOwn && (await submitRightsOf(tx, userId, now)).isOwn
  const countOf = (one: string) => ({ ...countedFor(rights, counts.get(one) ?? nothing, isLast), ...full })
  const own = isFree ? nothing : countOf(submit_month)
  const running = month === submit_month ? null : countOf(month)
  const right = rightToEnter(rights, { isFree, own, running })
  if ('waits' in right) return { ...right, former }
  const paidBy = right.right === 'plan' ? rights : null
  return { ...right, paidBy, terms: termsOf(rights.plan, right.right) }
}

/** `left`: the company of a video, where its officer is in another one, or in none, by now. */
const officerOf = (tx: Tx, userId: string, tenantId: string | null) =>
  tx.first(sql<{ tenant_id: string | null; is_active: boolean; left: string | null }>`
    select o.tenant_id, not o.is_disabled and ${hasDutySql(sql`o.role`, 'film')} as is_active,
      (select t.name from tenant t where t.id = ${tenantId}::uuid and t.id is distinct from o.tenant_id) as left
    from person o where o.id = ${userId}`)

/**
 * Counts a waiting project that enters the queue in this month, and marks what it used. Answers what it is promised from
 * now on, or why it may not.
 */
export const enterQueue = async (
  tx: Tx,
  project: WaitingProject,
  month: string,
  now: Date,
): Promise<{ waits: WaitReason; former: string | null } | { isMoved: boolean; terms: Terms }> => {
  const found = await rightNow(tx, project, month, now)
  if ('waits' in found) return found
  const isMoved = month !== project.submit_month && !project.is_free
  if (isMoved) {
    await giveQuotaBack(tx, project, project.submit_month)
    await useQuota(tx, project, month, found.right, { now })
  } else if (found.takesExtra) await asService(tx, () => takeExtra(tx, project.user_id, month, project.tenant_id))
  await markUsed(tx, project.id, found.paidBy, now)
  // It may have entered on a plan that is bigger than when one was bought for it.
  if (!isMoved) await asService(tx, () => freeIdle(tx, project.user_id, month))
  return { isMoved, terms: found.terms }
}

/**
 * What is counted for each of these months at the company where its officer is, for the plan that gives them these rights, and how
 * many of them wait although the month has begun; absent without a count.
 */
export const countedByMonth = async (
  tx: Tx,
  userId: string,
  { isOwn }: { isOwn: boolean },
  months: readonly string[],
): Promise<Map<string, MonthUse & { held: number }>> => {
  // Videos of a former company are seen by nobody who looks after its officer now.
  const { rows, extras } = await asService(tx, async () => {
    const { tenant_id } = (await tx.first(sql<{ tenant_id: string | null }>`
      select tenant_id from person where id = ${userId}`))!
    const rows = await tx.rows(sql<{ month: string; used: number; held: number }>`
      select q.month, (greatest(0, q.used - about.others) + about.elsewhere)::integer as used, about.held
      from quota_use q, lateral (
        select count(*) filter (where p.waits_for is not null and not ${isElsewhere(tenant_id)})::integer as held,
          count(*) filter (where ${isCountedElsewhere(tenant_id)})::integer as others,
          count(*) filter (where ${isOwn}::boolean and ${isElsewhere(tenant_id)} and ${isOnOwnPlan})::integer as elsewhere
        from project p where p.user_id = q.user_id and p.submit_month = q.month and not p.is_free) about
      where q.user_id = ${userId} and q.month = any(${months as string[]})`)
    return { rows, extras: await extrasByMonth(tx, userId, months, tenant_id) }
  })
  return new Map(rows.map(({ month, used, held }) => [month, { used, held, extras: extras.get(month) ?? 0 }]))
}

const nothing: Counts = { used: 0, extras: 0, waiting: 0, onPlan: 0, elsewhere: 0, first: 0 }
