import { hasDutySql } from '../kernel/domain-sql.ts'
import type { Status } from '@clear-to-post/domain/workflow'
import type { Outcomes } from '@clear-to-post/edit/rule-outcomes'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type EditRow = {
  project_id: string
  tenant_id: string | null
  state: 'waiting' | 'preparing' | 'ready' | 'failed'
  stage: string | null
  progress: number | null
  reason: string | null
  revision: number
  recipe: Record<string, unknown> | null
  first_cut: Record<string, unknown> | null
  script: string
  transcript: { means: string; notes: string[] } | null
  attempt: number
  modified_at: Date
}

export type RenderRow = {
  id: string
  project_id: string
  tenant_id: string | null
  revision: number
  recipe: Record<string, unknown>
  state: 'queued' | 'running' | 'done' | 'failed' | 'canceled'
  stage: string | null
  progress: number | null
  seconds_left: number | null
  reason: string | null
  asset_id: string | null
  attempt: number
  /** How often its worker died over it. */
  crashes: number
  asked_by: string
  asked_at: Date
  /** What is different from the render before, in words; null when that was not said. */
  changes: string[] | null
}

/** A render as lists show it: without its recipe, which may be as large as all the rest together. */
export type ShownRender = Omit<RenderRow, 'recipe'>

/** What of an edit is made before its render is asked for. */
export type RenderAheadRow = {
  project_id: string
  tenant_id: string | null
  revision: number
  state: 'waiting' | 'running' | 'done' | 'stopped'
  attempt: number
  crashes: number
  crashes_in_all: number
  spent_ms: number
  /** The revision that what follows is of; a run that was stopped early did not look yet. */
  chunks_of: number | null
  chunk_names: string[]
  changed_to: number | null
  length_ms: number | null
  /** Stretches of the video, ms. */
  ready: [number, number][]
  modified_at: Date
}

/** What the rules of this room ask of a project. */
export type EditedProject = {
  id: string
  tenant_id: string | null
  user_id: string
  editor_id: string | null
  status: Status
  title: string
  caption_style: number
  caption_suggestion: string | null
  tour: { address: string; price: string; beds: string; baths: string } | null
}

const editColumns = sql`
  e.project_id, e.tenant_id, e.state, e.stage, e.progress, e.reason, e.revision, e.recipe, e.first_cut, e.script,
  e.transcript, e.attempt, e.modified_at`

const editedProject = sql`
  p.id, p.tenant_id, p.user_id, p.editor_id, p.status, p.title, p.caption_style, p.caption_suggestion, p.tour`

const renderColumns = sql`
  r.id, r.project_id, r.tenant_id, r.revision, r.state, r.stage, r.progress, r.seconds_left, r.reason, r.asset_id,
  r.attempt, r.crashes, r.asked_by, r.asked_at, r.changes`

/** A project whose edit the caller may see; officers see none. */
export const projectInReach = (tx: Reader, caller: Caller, projectId: string) =>
  tx.first(sql<EditedProject>`
    select ${editedProject} from project p where p.id = ${projectId} and ${tenantFilter(caller, sql`p.tenant_id`)}`)

/** The same, and it stays as it is until the transaction ends: no step of the workflow comes between. */
export const lockProjectInReach = (tx: Tx, caller: Caller, projectId: string) =>
  tx.first(sql<EditedProject>`
    select ${editedProject} from project p
    where p.id = ${projectId} and ${tenantFilter(caller, sql`p.tenant_id`)} for share of p`)

export const findEdit = (tx: Reader, caller: Caller, projectId: string) =>
  tx.first(sql<EditRow>`
    select ${editColumns} from edit e where e.project_id = ${projectId} and ${tenantFilter(caller, sql`e.tenant_id`)}`)

/** What a kit is written from; the recipe as text. `owner`: its company, or the officer where there is none. */
export type SavedEdit = {
  title: string
  owner: string
  revision: number
  modified_at: Date
  script: string
  recipe: string | null
}

/** For the service itself. */
export const savedEdit = (tx: Reader, projectId: string) =>
  tx.first(sql<SavedEdit>`
    select p.title, coalesce(p.tenant_id, p.user_id) as owner, e.revision, e.modified_at, e.script, e.recipe::text as recipe
    from project p join edit e on e.project_id = p.id where p.id = ${projectId}`)

/** Saves a recipe made from `revision`; undefined when another was saved meanwhile. Whoever goes on knows what failed. */
export const saveRecipe = (
  tx: Tx,
  projectId: string,
  { recipe, revision, by, now }: { recipe: unknown; revision: number; by: string; now: Date },
) =>
  tx.first(sql<{ revision: number }>`
    update edit set recipe = ${JSON.stringify(recipe)}, revision = revision + 1, reason = null, modified_at = ${now}, modified_by = ${by}
    where project_id = ${projectId} and revision = ${revision} and state = 'ready' returning revision`)

/** Keeps who changed an edit, with their first change: see docs/decisions/0250. */
export const keepAuthor = (tx: Tx, project: Pick<EditedProject, 'id' | 'tenant_id'>, personId: string, now: Date) =>
  tx.count(sql`
    insert into edit_author (project_id, person_id, tenant_id, since)
    values (${project.id}, ${personId}, ${project.tenant_id}, ${now}) on conflict do nothing`)

/** The edit waits for its first cut from now on. What was saved stays until the new one is there. */
export const awaitFirstCut = (
  tx: Tx,
  project: Pick<EditedProject, 'id' | 'tenant_id'>,
  script: string | null,
  now: Date,
) =>
  tx.count(sql`
    insert into edit (project_id, tenant_id, script, modified_at)
    values (${project.id}, ${project.tenant_id}, ${script ?? ''}, ${now})
    on conflict (project_id) do update
      set state = 'waiting', stage = null, progress = null, reason = null,
        script = coalesce(${script}, edit.script), modified_at = ${now}`)

export const rendersOf = (tx: Reader, caller: Caller, projectId: string) =>
  tx.rows(sql<ShownRender>`
    select ${renderColumns} from render r
    where r.project_id = ${projectId} and ${tenantFilter(caller, sql`r.tenant_id`)} order by r.asked_at desc, r.id desc limit 50`)

export const findRender = (tx: Reader, caller: Caller, renderId: string) =>
  tx.first(sql<ShownRender>`
    select ${renderColumns} from render r where r.id = ${renderId} and ${tenantFilter(caller, sql`r.tenant_id`)}`)

/** What a render shows. */
export const recipeOfRender = async (tx: Reader, caller: Caller, renderId: string) =>
  (
    await tx.first(sql<Pick<RenderRow, 'recipe'>>`
      select r.recipe from render r where r.id = ${renderId} and ${tenantFilter(caller, sql`r.tenant_id`)}`)
  )?.recipe

/** As the rules made it. */
export const firstCutOf = async (tx: Reader, projectId: string) =>
  (await tx.first(sql<Pick<EditRow, 'first_cut'>>`select first_cut from edit where project_id = ${projectId}`))
    ?.first_cut ?? undefined

/** What the newest render of a project shows. */
export const lastRendered = async (tx: Reader, projectId: string) =>
  (
    await tx.first(sql<Pick<RenderRow, 'recipe'>>`
      select recipe from render where project_id = ${projectId} order by asked_at desc, id desc limit 1`)
  )?.recipe

/** What the last approved cut of this officer shows, if it was rendered here and for the same company. */
export const lastApproved = async (
  tx: Reader,
  { user_id, tenant_id }: Pick<EditedProject, 'user_id' | 'tenant_id'>,
): Promise<RenderRow['recipe'] | undefined> =>
  (
    await tx.first(sql<Pick<RenderRow, 'recipe'>>`
      select r.recipe from project_cut c join render r on r.asset_id = c.asset_id
      where c.user_id = ${user_id} and c.verdict = 'approved' and r.tenant_id is not distinct from ${tenant_id}::uuid
      order by c.sent_at desc limit 1`)
  )?.recipe

/** Adds a render; undefined when one of this project is open. */
export const addRender = (
  tx: Tx,
  edit: {
    projectId: string
    tenantId: string | null
    revision: number
    recipe: unknown
    changes: readonly string[]
    outcomes: Outcomes | null
    by: string
    now: Date
  },
) =>
  tx.first(sql<{ id: string }>`
    insert into render (project_id, tenant_id, revision, recipe, changes, outcomes, asked_by, asked_at, modified_at)
    values (${edit.projectId}, ${edit.tenantId}, ${edit.revision}, ${JSON.stringify(edit.recipe)},
      ${edit.changes}::text[], ${edit.outcomes && JSON.stringify(edit.outcomes)}::jsonb, ${edit.by}, ${edit.now},
      ${edit.now})
    on conflict (project_id) where state in ('queued', 'running') do nothing returning id`)

/**
 * A project's newest finished render where it shows just this recipe, its file is there and none is open. It counts as of
 * `revision` from now on.
 */
export const renderShowing = (tx: Tx, projectId: string, { recipe, revision }: { recipe: unknown; revision: number }) =>
  tx.first(sql<{ id: string }>`
    update render set revision = greatest(revision, ${revision}::integer)
    where id = (
        select id from render where project_id = ${projectId} and state = 'done' order by asked_at desc, id desc limit 1)
      and recipe = ${JSON.stringify(recipe)}::jsonb
      and exists (select from asset a where a.id = render.asset_id and a.state not in ('rejected', 'failed'))
      and not exists (select from render o where o.project_id = ${projectId} and o.state in ('queued', 'running'))
    returning id`)

/**
 * A project's finished renders that were never sent, beyond the newest `files` and beyond `bytes` of theirs together; the
 * newest is none of them.
 */
export const surplusRenders = (tx: Tx, projectId: string, { files, bytes }: { files: number; bytes: number }) =>
  tx.rows(sql<{ id: string; asset_id: string | null; author_id: string | null }>`
    select id, asset_id, author_id from (
      select r.id, r.asset_id, a.author_id, row_number() over newest_first as place,
        sum(a.file_size) over newest_first as bytes
      from render r left join asset a on a.id = r.asset_id
      where r.project_id = ${projectId} and r.state = 'done'
        and not exists (select from project_cut c where c.asset_id = r.asset_id)
      window newest_first as (order by r.asked_at desc, r.id desc)) unsent
    where place > ${files} or (place > 1 and bytes > ${bytes})`)

/** Forgets a render. */
export const deleteRender = (tx: Tx, renderId: string) => tx.count(sql`delete from render where id = ${renderId}`)

/** Forgets all but the newest of a project's renders that ended without a file; what its worker died over is remembered. */
export const forgetOldRenders = (tx: Tx, projectId: string, kept: number) =>
  tx.count(sql`
    delete from render where id in (
      select id from render
      where project_id = ${projectId} and state in ('failed', 'canceled') and crashes = 0
      order by asked_at desc, id desc offset ${kept})`)

/** How often the worker of this recipe's last render died over it. */
export const crashesOf = async (tx: Reader, projectId: string, recipe: unknown): Promise<number> =>
  (
    await tx.first(sql<{ crashes: number }>`
      select crashes from render where project_id = ${projectId} and recipe = ${JSON.stringify(recipe)}::jsonb
      order by asked_at desc limit 1`)
  )?.crashes ?? 0

/** Stops an open render; the worker sees it at its next step. */
export const stopRender = (tx: Tx, renderId: string, now: Date) =>
  tx.count(sql`
    update render set state = 'canceled', stage = null, progress = null, seconds_left = null, modified_at = ${now}
    where id = ${renderId} and state in ('queued', 'running')`)

/** The same for all open renders of a project. */
export const stopRendersOf = (tx: Tx, projectId: string, now: Date) =>
  tx.count(sql`
    update render set state = 'canceled', stage = null, progress = null, seconds_left = null, modified_at = ${now}
    where project_id = ${projectId} and state in ('queued', 'running')`)

/** Leaves a first cut that is being made to another run; the worker sees it within seconds. */
export const stopFirstCutOf = (tx: Tx, projectId: string, now: Date) =>
  tx.count(sql`
    update edit set state = 'waiting', stage = null, progress = null, attempt = attempt + 1, modified_at = ${now}
    where project_id = ${projectId} and state = 'preparing'`)

/** Whether the product has made a finished file of a project's edit. */
export const isRendered = async (tx: Tx, projectId: string): Promise<boolean> =>
  (await tx.first(sql`select from render where project_id = ${projectId} and state = 'done' limit 1`)) !== undefined

/** Whether a render of this project is open. Asked before its recipes are read, which takes long. */
export const isRendering = async (tx: Tx, projectId: string): Promise<boolean> =>
  (await tx.first(sql`
    select from render where project_id = ${projectId} and state in ('queued', 'running') limit 1`)) !== undefined

export const findRenderAhead = (tx: Reader, caller: Caller, projectId: string) =>
  tx.first(sql<Pick<RenderAheadRow, 'revision' | 'state' | 'chunks_of' | 'length_ms' | 'ready'>>`
    select a.revision, a.state, a.chunks_of, a.length_ms, a.ready from render_ahead a
    where a.project_id = ${projectId} and ${tenantFilter(caller, sql`a.tenant_id`)}`)

/** How many other edits of the same company (of the same officer, where there is none) wait to be rendered ahead. */
export const openAheadBeside = async (tx: Tx, project: Pick<EditedProject, 'id' | 'tenant_id' | 'user_id'>) =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from render_ahead a join project p on p.id = a.project_id
    where a.state in ('waiting', 'running') and a.project_id <> ${project.id}
      and (p.tenant_id = ${project.tenant_id}::uuid
        or (${project.tenant_id}::uuid is null and p.tenant_id is null and p.user_id = ${project.user_id}))`))!.n

/** An officer whose words the caller may read, with their company; nobody's who was removed. */
export const officerInReach = (tx: Reader, caller: Caller, userId: string) =>
  tx.first(sql<{ tenant_id: string | null }>`
    select tenant_id from person
    where id = ${userId} and removed_at is null and ${hasDutySql(sql`role`, 'film')} and ${tenantFilter(caller, sql`tenant_id`)}`)

/** The same, and they are neither moved nor removed until the transaction ends: see migrations/0121. */
export const holdOfficerInReach = async (tx: Tx, caller: Caller, userId: string) => {
  await tx.rows(sql`select pg_advisory_xact_lock_shared(hashtextextended('calls of ' || ${userId}, 0))`)
  return officerInReach(tx, caller, userId)
}

export type Entry = { term: string; sounds?: string | undefined; mistaken?: string[] | undefined }

/** Whether a project's officer is (still) in its company. */
export const isOfItsCompany = async (
  tx: Reader,
  { user_id, tenant_id }: Pick<EditedProject, 'user_id' | 'tenant_id'>,
) =>
  (await tx.first(
    sql`select from person where id = ${user_id} and tenant_id is not distinct from ${tenant_id}::uuid`,
  )) !== undefined

export const glossaryOf = async (tx: Reader, ownerId: string | null): Promise<Entry[]> =>
  ownerId === null
    ? []
    : ((await tx.first(sql<{ entries: Entry[] }>`select entries from glossary where owner_id = ${ownerId}`))?.entries ??
      [])

/** A person's own words go with them to another company; as the service. */
export const moveGlossary = (tx: Tx, personId: string, tenantId: string | null) =>
  tx.count(sql`update glossary set tenant_id = ${tenantId} where owner_id = ${personId}`)

/** The words that an owner has now; nobody else changes them until the transaction ends. */
export const holdGlossary = async (
  tx: Tx,
  owner: { id: string; tenantId: string | null },
  now: Date,
): Promise<Entry[]> =>
  (await tx.first(sql<{ entries: Entry[] }>`
    insert into glossary (owner_id, tenant_id, entries, modified_at) values (${owner.id}, ${owner.tenantId}, '[]', ${now})
    on conflict (owner_id) do update set modified_at = excluded.modified_at
    returning entries`))!.entries

export const writeGlossary = (tx: Tx, ownerId: string, entries: readonly Entry[]) =>
  tx.count(sql`update glossary set entries = ${JSON.stringify(entries)} where owner_id = ${ownerId}`)

/**
 * What editors made of each rule's decisions, summed over the last cut that each project of the caller's reach sent since
 * then, as far as it was rendered here.
 */
export const outcomesSince = (tx: Reader, caller: Caller, since: Date) =>
  tx.rows(sql<{ rule: string; kept: number; undone: number; added: number }>`
    select o.key as rule, sum((o.value ->> 'kept')::integer)::integer as kept,
      sum((o.value ->> 'undone')::integer)::integer as undone, sum((o.value ->> 'added')::integer)::integer as added
    from (${lastSent(caller, since)}) s, jsonb_each(s.outcomes) o group by o.key`)

/** From how many videos. */
export const videosSince = async (tx: Reader, caller: Caller, since: Date): Promise<number> =>
  (await tx.first(sql<{ n: number }>`select count(*)::integer as n from (${lastSent(caller, since)}) s`))!.n

const lastSent = (caller: Caller, since: Date) => sql`
  select distinct on (c.project_id) r.outcomes
  from project_cut c join render r on r.asset_id = c.asset_id
  where c.sent_at >= ${since} and r.outcomes is not null and ${tenantFilter(caller, sql`c.tenant_id`)}
    and ${tenantFilter(caller, sql`r.tenant_id`)}
  order by c.project_id, c.sent_at desc`
