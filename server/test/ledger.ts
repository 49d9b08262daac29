import { dayIn, isoWeekIn, monthIn } from '@clear-to-post/domain/calendar'
import type { Status, Verb } from '@clear-to-post/domain/workflow'
import { sql } from '../src/kernel/database.ts'
import { keptAndTold } from './figures.ts'
import type { Answered } from './people-at-work.ts'
import type { Service } from './service.ts'

/**
 * Folds the whole ledger of a database a second time, from the events' own words, and compares it with every row that
 * follows from it and with what people were answered. Answers each difference in a sentence; nothing when all is well.
 * With `answered`, nobody else may have written: whatever was not answered to somebody counts as doubled.
 */
export const faultsOf = async (
  { database }: Pick<Service, 'database'>,
  answered?: readonly Answered[],
): Promise<string[]> => {
  const read = await database.asSystem(async (tx) => ({
    projects: await tx.rows(sql<ProjectLine>`
      select p.*, time_zone_of(p.user_id) as time_zone, is_gone(p.user_id) as officer_is_gone from project p`),
    events: await tx.rows(sql<EventLine>`select * from project_event order by project_id, seq`),
    goalDays: await tx.rows(sql<{ line: string }>`
      select g.editor_id || ' ' || g.iso_week || ' ' || d.date || ' ' || d.progress as line
      from goal g join goal_day d on d.goal_id = g.id where d.progress > 0`),
    goals: await tx.rows(sql<{ line: string }>`
      select editor_id || ' ' || iso_week || ' ' || progress as line from goal where progress > 0`),
    quotas: await tx.rows(sql<{ line: string }>`
      select user_id || ' ' || month || ' ' || used as line from quota_use where used > 0
      union all select id || ' free ' || free_projects from person where free_projects > 0`),
    freeVideos: await tx.rows(sql<{ line: string }>`
      select project_id::text as line from free_video f join project p on p.id = f.project_id
      where not exists (select from person o where o.id = p.user_id and o.removed_at is not null)`),
    zones: await tx.rows(
      sql<{ id: string; zone: string }>`select id, time_zone as zone from person where removed_at is null`,
    ),
    requests: await tx.rows(sql<{ line: string }>`
      select request_id || ' ' || (answer->>'id') || ' ' || (answer->>'seq') as line from answered_request`),
    files: await tx.rows(sql<{ line: string }>`
      select project_id || ' ' || id as line from asset where purpose = 'source' and project_id is not null`),
    jobs: await tx.rows(sql<{ line: string }>`
      select (data->>'projectId') || ' ' || (data->>'seq') as line from pgboss.job where name = 'project-event'`),
  }))

  const faults: string[] = []
  const counted = new Counts()
  const eventsOf = Map.groupBy(read.events, (event) => event.project_id)
  const zoneOf = new Map(read.zones.map(({ id, zone }) => [id, zone]))
  for (const project of read.projects) {
    const { folded, faults: found } = fold(project, eventsOf.get(project.id) ?? [], counted, zoneOf)
    faults.push(...found.map((text) => `project ${project.id}: ${text}`))
    if (project.status === 7 && project.due_at === null) faults.push(`project ${project.id}: is scheduled for ever`)
    for (const key of keys) {
      const [is, should] = [plain(project[key]), plain(folded[key])]
      if (is !== should) faults.push(`project ${project.id}: ${key} is ${is}, the ledger says ${should}`)
    }
  }

  const lines = (rows: readonly { line: string }[]) => rows.map(({ line }) => line)
  const compare = (what: string, are: readonly string[], should: readonly string[]) => {
    const missing = Map.groupBy(should, (line) => line)
    for (const line of are) {
      if (missing.get(line)?.pop() === undefined) faults.push(`${what}: ${line} is there too often`)
    }
    for (const [line, left] of missing) if (left.length > 0) faults.push(`${what}: ${line} is lost`)
  }
  const figures = await database.asSystem(keptAndTold)
  compare('figure', figures.kept, figures.told)
  compare('goal', lines(read.goals), counted.lines('week'))
  compare('goal day', lines(read.goalDays), counted.lines('day'))
  compare('quota', lines(read.quotas), counted.lines('quota'))
  // Whoever was removed before this was kept has none.
  compare(
    'free video',
    lines(read.freeVideos),
    read.projects.flatMap((p) =>
      p.is_free && !p.officer_is_gone && !(p.status === 6 && !p.editing_begun) ? [p.id] : [],
    ),
  )
  // pg-boss removes finished jobs after seven days: those of an older release's data may be gone.
  // The last step of what an editor left behind is told of once more.
  const jobs = new Set(lines(read.jobs))
  const sixDaysAgo = Date.now() - 6 * 86_400_000
  const jobOf = (e: EventLine) => `${e.project_id} ${e.seq}`
  compare('job', [...jobs], read.events.filter((e) => e.at.getTime() > sixDaysAgo || jobs.has(jobOf(e))).map(jobOf))
  if (!answered) return faults
  compare(
    'event',
    read.events.map((e) => `${e.project_id} ${e.seq} ${e.verb} ${e.actor_id}`),
    answered.map(({ project, verb, who }) => `${project.id} ${project.seq} ${verb} ${who.id}`),
  )
  compare(
    'answer',
    lines(read.requests),
    answered.map((a) => `${a.requestId} ${a.project.id} ${a.project.seq}`),
  )
  const created = answered.filter(({ verb }) => verb === 'create').map(({ project }) => project)
  compare(
    'project',
    read.projects.map(({ id }) => id),
    created.map(({ id }) => id),
  )
  compare(
    'file',
    lines(read.files),
    created.flatMap(({ id, assets }) => assets!.map((a) => `${id} ${a.assetId}`)),
  )
  return faults
}

type Folded = {
  status: Status
  seq: number
  editor_id: string | null
  submit_month: string
  final_video_id: string | null
  approved_video_id: string | null
  editing_begun: boolean
  publish_at: Date | string | null
  cuts: number
}
const keys = [
  'status',
  'seq',
  'editor_id',
  'submit_month',
  'final_video_id',
  'approved_video_id',
  'editing_begun',
  'publish_at',
  'cuts',
] as const satisfies readonly (keyof Folded)[]

type ProjectLine = Folded & {
  id: string
  user_id: string
  due_at: Date | null
  is_free: boolean
  time_zone: string
  officer_is_gone: boolean
}
type EventLine = {
  project_id: string
  seq: number
  verb: Verb
  from_status: Status | null
  to_status: Status
  metadata: {
    submitMonth?: string
    finalVideoId?: string
    publishAt?: string
    editorId?: string | null
    isRendered?: true
  }
  actor_id: string
  at: Date
  before: Partial<Folded> | null
  counted: { goal?: { isoWeek: string; date: string }; used?: string } | null
  undoes: number | null
}

/** What one step added elsewhere, so that its rollback can take it away. */
type Added = { kind: 'week' | 'day' | 'quota'; key: string; by: number }[]

class Counts {
  readonly #sums = { week: new Map<string, number>(), day: new Map<string, number>(), quota: new Map<string, number>() }

  add(added: Added, sign: 1 | -1) {
    for (const { kind, key, by } of added) this.#sums[kind].set(key, (this.#sums[kind].get(key) ?? 0) + sign * by)
  }

  lines(kind: Added[number]['kind']): string[] {
    return [...this.#sums[kind]].filter(([, sum]) => sum !== 0).map(([key, sum]) => `${key} ${sum}`)
  }
}

const fold = (
  project: ProjectLine,
  events: readonly EventLine[],
  counts: Counts,
  zoneOf: ReadonlyMap<string, string>,
): { folded: Partial<Folded>; faults: string[] } => {
  const faults: string[] = []
  let now: Partial<Folded> = {}
  const added = new Map<number, Added>()
  // The cuts that stand: those whose sending was not undone.
  const sent: { seq: number; asset: string; editor: string; at: Date }[] = []
  // What a rollback may undo, the latest last.
  const steps: EventLine[] = []
  const quota = (month: string, by: number): Added[number] => ({
    kind: 'quota',
    key: `${project.user_id} ${project.is_free ? 'free' : month}`,
    by,
  })

  for (const [i, event] of events.entries()) {
    const { seq, verb, metadata, at } = event
    if (seq !== i + 1) faults.push(`event ${seq} stands in the place of ${i + 1}`)
    if (event.from_status !== (now.status ?? null))
      faults.push(`event ${seq} (${verb}) starts from ${event.from_status}, the one before led to ${now.status}`)
    for (const key of keys)
      if (event.before && key in event.before && plain(event.before[key]) !== plain(now[key]))
        faults.push(`event ${seq} (${verb}) remembers ${key} ${plain(event.before[key])}, it was ${plain(now[key])}`)

    const adds: Added = []
    if (verb === 'create') {
      now = { editor_id: null, final_video_id: null, approved_video_id: null, publish_at: null }
      Object.assign(now, { submit_month: metadata.submitMonth, editing_begun: false, cuts: 0 })
      adds.push(quota(metadata.submitMonth!, 1))
    } else if (verb === 'start') {
      Object.assign(now, { editor_id: event.actor_id, editing_begun: true })
    } else if (verb === 'send') {
      sent.push({ seq, asset: metadata.finalVideoId!, editor: now.editor_id!, at })
      Object.assign(now, { final_video_id: metadata.finalVideoId, cuts: now.cuts! + 1 })
    } else if (verb === 'approve') {
      const cut = sent.at(-1)!
      const standing = now.publish_at && new Date(now.publish_at) > at ? now.publish_at : null
      Object.assign(now, { approved_video_id: cut.asset, publish_at: metadata.publishAt ?? standing })
      // A removed editor's time zone is erased: the step's own word counts, when it can be a day of that moment.
      const zone = zoneOf.get(cut.editor)
      const day = zone
        ? { isoWeek: isoWeekIn(cut.at, zone), date: dayIn(cut.at, zone) }
        : (event.counted?.goal ?? { isoWeek: '', date: '' })
      if (!zonesAround.some((one) => dayIn(cut.at, one) === day.date && isoWeekIn(cut.at, one) === day.isoWeek))
        faults.push(`event ${seq} (approve) counted ${day.date} of ${day.isoWeek} for a cut of ${cut.at.toISOString()}`)
      const week = `${cut.editor} ${day.isoWeek}`
      adds.push({ kind: 'week', key: week, by: 1 }, { kind: 'day', key: `${week} ${day.date}`, by: 1 })
    } else if (verb === 'schedule' || verb === 'reschedule') {
      now.publish_at = metadata.publishAt!
    } else if (verb === 'publish') {
      now.publish_at = null
    } else if (verb === 'assign') {
      now.editor_id = metadata.editorId!
    } else if (verb === 'cancel') {
      now.publish_at = null
      // The product had made a file of it, though nobody had begun.
      if (metadata.isRendered) now.editing_begun = true
      if (!now.editing_begun) adds.push(quota(now.submit_month!, -1))
    } else if (verb === 'unschedule' || verb === 'release') {
      const running = project.officer_is_gone
        ? (event.counted?.used ?? now.submit_month!)
        : monthIn(at, project.time_zone)
      const month = verb === 'release' && running < now.submit_month! ? now.submit_month! : running
      now.publish_at = null
      if (now.final_video_id === null && month !== now.submit_month) {
        adds.push(quota(now.submit_month!, -1), quota(month, 1))
        now.submit_month = month
      }
    } else if (verb === 'rollback') {
      const undone = steps.pop()!
      if (undone?.seq !== event.undoes)
        faults.push(`event ${seq} undoes ${event.undoes}, the latest step was ${undone?.seq}`)
      const isSince = (verb: Verb) => events.slice(undone.seq, i).some((between) => between.verb === verb)
      const isChosen = undone.verb === 'approve' && isSince('reschedule')
      for (const key of keys) {
        // A video of which a cut was made stays begun, whoever was assigned since edits it, and a time that was chosen since counts.
        const stays =
          (key === 'editing_begun' && now.cuts! > 0) ||
          (key === 'editor_id' && isSince('assign')) ||
          (key === 'publish_at' && isChosen)
        if (undone.before && key in undone.before && !stays) Object.assign(now, { [key]: undone.before[key] })
      }
      // A time that has passed does not come again.
      const isPast = !now.publish_at || new Date(now.publish_at) <= at
      if (now.status === 7 && now.final_video_id !== null && isPast) Object.assign(now, { status: 2, publish_at: null })
      counts.add(added.get(undone.seq) ?? [], -1)
      if (undone.verb === 'send') sent.pop()
    }
    if (!['create', 'reschedule', 'reorder', 'assign', 'rollback', 'hold'].includes(verb)) steps.push(event)
    counts.add(adds, 1)
    added.set(seq, adds)
    Object.assign(now, { seq, ...(verb === 'rollback' ? {} : { status: event.to_status }) })
    if (now.status !== event.to_status)
      faults.push(`event ${seq} (${verb}) leads to ${event.to_status}, not ${now.status}`)
  }
  return { folded: now, faults }
}

/** The zones with the earliest, a middle and the latest day there can be at one moment. */
const zonesAround = ['Pacific/Pago_Pago', 'UTC', 'Pacific/Kiritimati']

const plain = (value: unknown): string =>
  value instanceof Date || (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
    ? new Date(value).toISOString()
    : String(value ?? null)
