import { denyCategoryValues } from '@clear-to-post/domain/feedback'
import type { Tx } from '../src/kernel/database.ts'
import { sql } from '../src/kernel/database.ts'

/** What a report counts of one step, told from the ledger's rows alone and not by the database. */
export type Told = {
  projectId: string
  seq: number
  at: Date
  verb: string
  userId: string
  tenantId: string | null
  editorId: string | null
  first?: {
    isClean: boolean
    tookS: number | null
    promisedS: number | null
    isLate: boolean | null
    lengthMs: number | null
  }
  categories: string[]
  scores: { id: string; label: string; score: number }[]
}

type EventLine = {
  project_id: string
  seq: number
  verb: string
  to_status: number
  at: Date
  user_id: string
  tenant_id: string | null
  metadata: { cut?: number; categories?: string[]; denyFeedback?: { criteria?: Told['scores'] } }
  counted: { cut?: number } | null
  before: { due_by?: string | null } | null
  undoes: number | null
}

/** Reads the raw rows of a database and tells them. The ledger of somebody who was erased has lost its words. */
export const toldBy = async (tx: Tx): Promise<Told[]> =>
  tell(
    await tx.rows(sql<EventLine>`
      select project_id, seq, verb, to_status, at, user_id, tenant_id, metadata, counted, before, undoes
      from project_event where user_id not in (select id from person where removed_at is not null)
      order by project_id, seq`),
    await tx.rows(sql<CutLine>`
      select c.project_id, c.number, c.editor_id, a.duration_ms from project_cut c join asset a on a.id = c.asset_id`),
  )

type CutLine = { project_id: string; number: number; editor_id: string; duration_ms: number | null }

const tell = (events: readonly EventLine[], cuts: readonly CutLine[]): Told[] => {
  const cutOf = new Map(cuts.map((cut) => [`${cut.project_id} ${cut.number}`, cut]))
  const all: Told[] = []
  for (const [projectId, lines] of Map.groupBy(events, (event) => event.project_id)) {
    let stands: Told[] = []
    let queuedAt: Date | undefined
    for (const event of lines) {
      if (event.undoes !== null) stands = stands.filter(({ seq }) => seq !== event.undoes)
      if ((event.verb === 'create' || event.verb === 'release') && event.to_status === 0) queuedAt = event.at
      if (!/^(create|approve|deny|review|cancel)$/.test(event.verb)) continue
      const cut = cutOf.get(`${projectId} ${event.counted?.cut ?? event.metadata.cut}`)
      const isFirst = event.verb === 'approve' && !stands.some(({ verb }) => verb === 'approve')
      const due = event.before?.due_by ? new Date(event.before.due_by) : null
      // A video of a later month that its officer took out of its schedule came to the queue by neither step.
      const seconds = (until: Date) =>
        queuedAt === undefined ? null : Math.floor((until.getTime() - queuedAt.getTime()) / 1000)
      stands.push({
        projectId,
        seq: event.seq,
        at: event.at,
        verb: event.verb,
        userId: event.user_id,
        tenantId: event.tenant_id,
        editorId: /^(approve|deny|review)$/.test(event.verb) ? (cut?.editor_id ?? null) : null,
        ...(isFirst
          ? {
              first: {
                isClean: !stands.some(({ verb }) => verb === 'deny'),
                tookS: seconds(event.at),
                promisedS: due && seconds(due),
                isLate: due && event.at > due,
                lengthMs: cut?.duration_ms ?? null,
              },
            }
          : {}),
        categories: event.verb === 'deny' ? (event.metadata.categories ?? []) : [],
        scores: event.verb === 'deny' ? (event.metadata.denyFeedback?.criteria ?? []) : [],
      })
    }
    all.push(...stands)
  }
  return all
}

/** The kept figures as lines, and the same lines as the ledger tells them. */
export const keptAndTold = async (tx: Tx): Promise<{ kept: string[]; told: string[] }> => {
  const rows = await tx.rows(sql<Record<string, unknown>>`
    select project_id, seq, at, verb, user_id, tenant_id, editor_id, is_first, is_first_pass, took_s, promised_s, is_late,
      length_ms, coalesce(categories, '{}') as categories, coalesce(scores, '[]') as scores
    from step_figure where user_id not in (select id from person where removed_at is not null)`)
  const told = (await toldBy(tx)).map((one) => [
    one.projectId,
    one.seq,
    one.at,
    one.verb,
    one.userId,
    one.tenantId,
    one.editorId,
    one.first !== undefined,
    one.first?.isClean ?? false,
    one.first?.tookS ?? null,
    one.first?.promisedS ?? null,
    one.first?.isLate ?? null,
    one.first?.lengthMs ?? null,
    one.categories,
    one.scores.map(({ id, label, score }) => ({ id, label, score })),
  ])
  const line = (parts: readonly unknown[]) =>
    JSON.stringify(parts, (_, part: unknown) =>
      part && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    )
  return { kept: rows.map((row) => line(Object.values(row))).toSorted(), told: told.map(line).toSorted() }
}

/** The figures of some steps as a report answers them. */
export const summed = (steps: readonly Told[]) => {
  const count = (is: (one: Told) => boolean) => steps.filter(is).length
  const took = median(steps.flatMap(({ first }) => first?.tookS ?? []))
  const promised = median(steps.flatMap(({ first }) => first?.promisedS ?? []))
  return {
    sentIn: count(({ verb }) => verb === 'create'),
    approved: count(({ first }) => first !== undefined),
    firstPass: count(({ first }) => first?.isClean === true),
    promised: count(({ first }) => first !== undefined && first.isLate !== null),
    onTime: count(({ first }) => first?.isLate === false),
    denied: count(({ verb }) => verb === 'deny'),
    revisions: count(({ verb }) => verb === 'review'),
    canceled: count(({ verb }) => verb === 'cancel'),
    lengthMs: steps.reduce((sum, { first }) => sum + (first?.lengthMs ?? 0), 0),
    ...(took === undefined ? {} : { turnaroundHours: took / 3600 }),
    ...(promised === undefined ? {} : { promisedHours: promised / 3600 }),
  }
}

/** Why cuts were denied, as a report answers it. */
export const denials = (steps: readonly Told[]) => {
  const named = steps.flatMap(({ categories }) => categories)
  const scored = Map.groupBy(
    steps.toSorted((a, b) => a.at.getTime() - b.at.getTime()).flatMap(({ scores }) => scores),
    ({ id }) => id,
  )
  return {
    categories: new Map(
      denyCategoryValues
        .map((category) => [category, named.filter((one) => one === category).length] as const)
        .filter(([, count]) => count > 0),
    ),
    criteria: new Map(
      [...scored].map(([id, list]) => [
        id,
        {
          label: list.at(-1)!.label,
          count: list.length,
          low: list.filter(({ score }) => score <= 5).length,
          average: list.reduce((sum, { score }) => sum + score, 0) / list.length,
        },
      ]),
    ),
  }
}

const median = (values: readonly number[]): number | undefined => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return sorted.length === 0 ? undefined : (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
