import { hasDutySql } from '../kernel/domain-sql.ts'
import { hasDuty, type Role } from '@clear-to-post/domain/roles'
import { refusal } from '@clear-to-post/contract/errors'
import { dayIn, isoWeekIn } from '@clear-to-post/domain/calendar'
import { dailyTargets, defaultWeeklyTarget } from '@clear-to-post/domain/goals'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { asService, tenantFilter } from '../kernel/tenancy.ts'

/** One approval more, on the day the cut was sent in the editor's own time zone. Answers that day, to take it back by. */
export const countTowardsGoal = async (
  tx: Tx,
  { editorId, sentAt }: { editorId: string; sentAt: Date },
): Promise<{ isoWeek: string; date: string }> => {
  const { time_zone } = (await tx.first(sql<{ time_zone: string }>`
    select coalesce(time_zone_of(${editorId}), 'UTC') as time_zone`))!
  const day = { isoWeek: isoWeekIn(sentAt, time_zone), date: dayIn(sentAt, time_zone) }
  await asService(tx, async () => {
    await make(tx, editorId, day.isoWeek)
    await add(tx, { editorId, ...day }, 1)
  })
  return day
}

/**
 * Moves what is counted on one day of an editor's week, which is there. The service counts, whoever approves: an editor
 * who serves every company cuts for a reviewer who serves one.
 */
export const addToGoal = (tx: Tx, day: GoalDay, by: 1 | -1): Promise<void> => asService(tx, () => add(tx, day, by))

/** Makes the goal of an editor's week with the default target when nobody set one. */
const ensureGoal = (tx: Tx, editorId: string, isoWeek: string): Promise<void> =>
  asService(tx, () => make(tx, editorId, isoWeek))

type GoalDay = { editorId: string; isoWeek: string; date: string }

/** As the service. */
const add = async (tx: Tx, { editorId, isoWeek, date }: GoalDay, by: 1 | -1): Promise<void> => {
  await Promise.all([
    tx.count(sql`
      update goal set progress = greatest(progress + ${by}, 0)
      where editor_id = ${editorId} and iso_week = ${isoWeek}`),
    tx.count(sql`
      update goal_day d set progress = greatest(d.progress + ${by}, 0)
      from goal g where g.id = d.goal_id and g.editor_id = ${editorId} and g.iso_week = ${isoWeek}
        and d.date = ${date}::date`),
  ])
}

/** As the service. */
const make = async (tx: Tx, editorId: string, isoWeek: string): Promise<void> => {
  const made = await tx.first(sql<{ id: string }>`
    insert into goal (editor_id, iso_week, target) values (${editorId}, ${isoWeek}, ${defaultWeeklyTarget})
    on conflict (editor_id, iso_week) do nothing returning id`)
  if (!made) return
  const days = dailyTargets(isoWeek, defaultWeeklyTarget)
  await tx.count(sql`
    insert into goal_day (goal_id, date, target)
    select ${made.id}, d.date, d.target
    from unnest(${days.map((d) => d.date)}::date[], ${days.map((d) => d.target)}::integer[]) as d (date, target)`)
}

/** An editor's goals, newest week first; the running week is made when it is not there yet. `isoWeek` narrows to one. */
export const goalsOf = async (tx: Tx, caller: Caller, editorId: string, isoWeek: string | undefined, now: Date) => {
  const editor = await tx.first(sql<{ zone: string; role: Role }>`
    select time_zone as zone, role from person where id = ${editorId} and ${mayHaveGoals(caller)}`)
  if (!editor) throw refusal('account.not-found')
  // An ADMIN may ask for their own and has none.
  if (hasDuty(editor.role, 'meet-goals')) await ensureGoal(tx, editorId, isoWeekIn(now, editor.zone))
  const rows = await tx.rows(sql<GoalRow>`
    select g.id, g.editor_id, g.iso_week, g.target, g.progress, g.created_at,
      (select json_agg(json_build_object('id', g.id || ':' || d.date, 'date', d.date, 'target', d.target,
                                         'progress', d.progress) order by d.date)
       from goal_day d where d.goal_id = g.id) as days
    from goal g where g.editor_id = ${editorId} and ${isoWeek === undefined ? sql`true` : sql`g.iso_week = ${isoWeek}`}
    order by g.iso_week desc limit 52`)
  return rows.map((row) => ({
    id: row.id,
    editorId: row.editor_id,
    isoWeek: row.iso_week,
    target: row.target,
    progress: row.progress,
    createdAt: row.created_at.toISOString(),
    dailyMilestones: row.days ?? [],
  }))
}

/** Sets the target of an editor's week; its days follow, what was reached stays. */
export const setGoal = async (tx: Tx, caller: Caller, editorId: string, isoWeek: string, target: number, now: Date) => {
  const editor = await tx.first(sql`select 1 from person where id = ${editorId} and ${mayHaveGoals(caller)}`)
  if (!editor) throw refusal('account.not-found')
  await ensureGoal(tx, editorId, isoWeek)
  const { id: goalId } = (await tx.first(sql<{ id: string }>`
    update goal set target = ${target} where editor_id = ${editorId} and iso_week = ${isoWeek} returning id`))!
  for (const day of dailyTargets(isoWeek, target))
    await tx.count(
      sql`update goal_day set target = ${day.target} where goal_id = ${goalId} and date = ${day.date}::date`,
    )
  return (await goalsOf(tx, caller, editorId, isoWeek, now))[0]!
}

// Whose goals the caller may look at: one's own, and for staff those of editors in reach.
const mayHaveGoals = (caller: Caller) =>
  sql`${hasDutySql(sql`role`, 'edit')} and (id = ${caller.id} or ${tenantFilter(caller, sql`tenant_id`)}) and not is_company`

type GoalRow = {
  id: string
  editor_id: string
  iso_week: string
  target: number
  progress: number
  created_at: Date
  days: { id: string; date: string; target: number; progress: number }[] | null
}
