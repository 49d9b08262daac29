import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { publishing } from '@clear-to-post/contract/publishing'
import { Status } from '@clear-to-post/domain/workflow'
import { sql } from '../src/kernel/database.ts'
import { submitProject } from './factories.ts'
import { callAs, type Person, type Service } from './service.ts'
import type { Stage } from './stage.ts'

/**
 * Rows of one company that point at those of another, as they stay when people and accounts move. Each shows a wrong name, figure
 * or action where a condition is missing. All but the keys of steps hang on a video that no sample of a call names.
 */
export type Crossed = { project: string; posts: string[] }
type Theirs = Pick<Stage, 'tenantId' | 'officer' | 'connection' | 'account' | 'apiKey' | 'project' | 'thread'> & {
  finished: string
}

/** An account of our company's that another officer posts with; slots of our officer's. */
export const prepareCrossing = (service: Service, ours: Stage, other: Person): Promise<unknown> =>
  service.database.asSystem(async (tx) => {
    await tx.count(sql`
      with account as (
        insert into connection (tenant_id, network, account_id, name)
        values (${ours.tenantId}, 'youtube', 'UC3', 'Not the officer’s') returning id)
      insert into connection_officer (connection_id, user_id, tenant_id, allowed_at)
      select id, ${other.id}, ${ours.tenantId}, now() from account`)
    await tx.count(sql`
      insert into post_slots (user_id, slots, modified_at) values (${ours.officer.id}, ${JSON.stringify(slots)}, now())`)
  })
const slots = [{ weekday: 2, time: '09:00' }]

/** `colleague` is an officer of theirs, `moved` was one and is ours now. */
export const crossRows = async (
  service: Service,
  superuser: pg.Client,
  { ours, theirs, colleague, moved }: { ours: Stage; theirs: Theirs; colleague: Person; moved: Person },
): Promise<Crossed> => {
  await keepSteps(superuser, { ours, theirs, colleague, moved })
  await fillSlot(service, ours, theirs)
  await askAcross(service, { ours, theirs, moved })
  return service.database.asSystem(async (tx) => {
    const video = (await tx.first(sql<{ id: string; asset: string }>`
      select p.id, p.final_video_id as asset from project p where p.tenant_id = ${ours.tenantId} and p.title = 'ReviewedCut'`))!
    const unlet = (await tx.first(sql<{ id: string }>`
      select id from connection where tenant_id = ${ours.tenantId} and account_id = 'UC3'`))!.id
    await tx.count(sql`delete from post where project_id = ${video.id}`)
    for (const { id } of [ours.officer, ours.editor, ours.qa])
      await tx.count(sql`
        insert into connection_officer (connection_id, user_id, tenant_id, allowed_at)
        values (${theirs.account}, ${id}, ${theirs.tenantId}, now())`)
    const post = async (user: Person, connection: string, state: 'live' | 'unconfirmed') =>
      (await tx.first(sql<{ id: string }>`
        insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, due_at, state,
          remote_id, live_at)
        values (${video.id}, ${ours.tenantId}, ${user.id}, ${connection}, 'youtube', ${video.asset}, 'x', 'Rates', 'Words', now(),
          ${state}, ${randomUUID()}, case when ${state} = 'live' then now() end)
        returning id`))!.id
    const posts: string[] = []
    // At an account of another person, of another company, and of our company where our officer may not post.
    for (const connection of [theirs.connection, theirs.account, unlet]) {
      const id = await post(ours.officer, connection, 'live')
      await tx.count(sql`insert into post_comment (post_id, words, state) values (${id}, 'Ask me', 'unconfirmed')`)
      await tx.count(sql`
        insert into post_figures (post_id, day, at, views) values (${id}, (now() at time zone 'UTC')::date, now(), 7)`)
      posts.push(id)
    }
    // Of somebody who films for us no more, at an account of ours and at one of theirs.
    for (const connection of [ours.account, theirs.connection]) await post(colleague, connection, 'unconfirmed')
    // Of theirs, by somebody who is ours now, at an account of ours.
    await tx.count(sql`
      insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, due_at, state)
      select p.id, ${theirs.tenantId}, ${moved.id}, ${ours.account}, 'youtube', p.final_video_id, 'x', 'Rates', 'Words',
        now() + interval '1 day', 'scheduled'
      from project p where p.id = ${theirs.finished}`)
    return { project: video.id, posts }
  })
}

/** The first comments of these posts wait for their officer's answer, again. */
export const askOfComments = (service: Service, { posts }: Crossed): Promise<unknown> =>
  service.database.asSystem((tx) =>
    tx.count(sql`update post_comment set state = 'unconfirmed', live_at = null where post_id = any(${posts})`),
  )

/**
 * Our steps and theirs were taken by a key of theirs; somebody of theirs answered our officer's question, and had it; their question
 * is about a video; who moved sent something in for both. The product may write none of it.
 */
const keepSteps = (
  superuser: pg.Client,
  { ours, theirs, colleague, moved }: { ours: Stage; theirs: Theirs; colleague: Person; moved: Person },
) =>
  superuser.query(`
    begin;
    set local session_replication_role = replica;
    update project_event set key_id = '${theirs.apiKey}' where tenant_id in ('${ours.tenantId}', '${theirs.tenantId}');
    delete from support_message where thread_id = '${ours.thread}'
      and author_id in (select id from person where tenant_id <> '${ours.tenantId}');
    insert into support_message (thread_id, person_id, tenant_id, author_id, by_staff, kind, body, about_id, created_at)
    select '${ours.thread}', '${ours.officer.id}', '${ours.tenantId}', '${colleague.id}', true, kind, case when kind = 'message' then 'Words' else '' end,
      case when kind = 'assigned' then '${colleague.id}'::uuid end, now()
    from unnest(array['message', 'assigned']) as kind;
    update support_thread set project_id = '${theirs.project.id}' where id = '${theirs.thread}';
    insert into step_figure (project_id, seq, at, verb, user_id, tenant_id)
    values (gen_random_uuid(), 1, now() - interval '400 days', 'create', '${moved.id}', '${theirs.tenantId}'),
      (gen_random_uuid(), 1, now(), 'create', '${moved.id}', '${ours.tenantId}');
    commit`)

/** Our people asked something where they were before, and who moved asks us about a video of then. */
const askAcross = (
  service: Service,
  { ours, theirs, moved }: { ours: Stage; theirs: Theirs; moved: Person },
): Promise<unknown> =>
  service.database.asSystem(async (tx) => {
    await tx.count(sql`delete from support_thread where subject in ('Before', 'Of then')`)
    await tx.count(sql`
      insert into support_thread (person_id, tenant_id, project_id, subject, since, created_at)
      select id, ${theirs.tenantId}::uuid, null::uuid, 'Before', now(), now()
      from person where id = any(${[ours.officer.id, ours.admin.id]}::uuid[])
      union all
      select user_id, ${ours.tenantId}::uuid, id, 'Of then', now(), now() from project where user_id = ${moved.id}`)
  })

/** Theirs post, and have a video scheduled, when our officer has a slot; an earlier post of theirs was measured. */
const fillSlot = async (service: Service, ours: Stage, theirs: Theirs) => {
  const { next } = await callAs(service, ours.officer)(publishing.slots, {})
  const { id } = await submitProject(service, theirs.officer)
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`
      update project set status = ${Status.scheduled}, queue_position = null, publish_at = ${next}::timestamptz,
        due_at = ${next}::timestamptz where id = ${id}`)
    await tx.count(sql`
      update post set due_at = ${next}::timestamptz where project_id = ${theirs.finished} and state = 'scheduled'`)
    await tx.count(sql`
      with live as (
        insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, due_at, state, live_at)
        select p.id, ${theirs.tenantId}, ${theirs.officer.id}, ${theirs.connection}, 'youtube', p.final_video_id, 'x', 'Rates',
          'Words', now() - interval '10 days', 'live', now() - interval '10 days'
        from project p where p.id = ${theirs.finished} returning id)
      insert into post_figures (post_id, day, at, views)
      select id, current_date - 5, now() - interval '5 days', 9 from live`)
  })
}
