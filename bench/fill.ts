import pg from 'pg'

/** Who stands in a filled database. `officers` have `perOfficer` projects each, so that a page is as full in a small one. */
export const staff = { editors: 50, reviewers: 10, admins: 3 }
export const perOfficer = 200

/** The id of the nth of something: the same in every run. */
export const idOf = (what: 'officer' | 'editor' | 'reviewer' | 'admin' | 'tenant' | 'project', n: number) =>
  `bench_id('${what} ${n}')`

/**
 * Fills a migrated, empty database with `projects` projects of two years: 80 % completed, the rest spread over all
 * statuses, at least 3,000 in the queue and 3,000 waiting for approval, each with its files, cuts and whole ledger.
 */
export const fill = async (superuserUrl: string, projects: number): Promise<void> => {
  const officers = Math.max(Math.round(projects / perOfficer), 1)
  const run = async (statements: string) => {
    const client = new pg.Client({ connectionString: superuserUrl })
    await client.connect()
    // Rules and triggers are for people; what is loaded here obeys them by construction.
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set work_mem = '256MB'`)
    try {
      return await client.query(statements)
    } finally {
      await client.end()
    }
  }

  await run(`
    create or replace function bench_id(text) returns uuid language sql immutable parallel safe
      as $$ select overlay(overlay(md5($1) placing '4' from 13) placing '8' from 17)::uuid $$;
    grant execute on function bench_id(text) to clear_app`)
  const indexes = await run(`
    select indexname, indexdef from pg_indexes
    where schemaname = 'public' and tablename in ('project', 'project_event', 'asset', 'project_cut', 'step_figure')
      and indexname not in (select conname from pg_constraint)`)
  await run(indexes.rows.map(({ indexname }) => `drop index ${indexname}`).join(';'))

  await run(`
    insert into tenant (id, name, invite_code, total_users_allowed)
      select ${sqlId('tenant')}, 'Tenant ' || n, 'BENCH' || n, 100000 from generate_series(0, ${tenants - 1}) n;
    insert into person (id, email, name, role, email_verified_at, tenant_id)
      select ${sqlId('officer')}, 'officer' || n || '@bench.test', 'Officer ' || n, 'User', now(),
        case when n % 10 > 0 then bench_id('tenant ' || n % ${tenants}) end from generate_series(0, ${officers - 1}) n;
    insert into person (id, email, name, role, email_verified_at)
      select ${sqlId('editor')}, 'editor' || n || '@bench.test', 'Editor ' || n, 'Editor', now() from generate_series(0, ${staff.editors - 1}) n
      union all
      select ${sqlId('reviewer')}, 'qa' || n || '@bench.test', 'Reviewer ' || n, 'QA', now() from generate_series(0, ${staff.reviewers - 1}) n
      union all
      select ${sqlId('admin')}, 'admin' || n || '@bench.test', 'Admin ' || n, 'ADMIN', now() from generate_series(0, ${staff.admins - 1}) n`)

  // One row a project, from which the rest follows.
  const queued = Math.max(0.03, 3000 / projects)
  const active = queued + Math.max(0.02, 3000 / projects)
  await run(`
    create unlogged table filling as
    select n, bench_id('project ' || n) as id, bench_id('officer ' || n % ${officers}) as user_id,
      case when n % ${officers} % 10 > 0 then bench_id('tenant ' || n % ${officers} % ${tenants}) end as tenant_id,
      bench_id('editor ' || n % ${staff.editors}) as editor_id, bench_id('source ' || n) as source, bench_id('cut ' || n) as cut,
      now() - interval '730 days' * (1 - n / ${projects}.0) as at,
      case when r < ${queued} then 0 when r < ${active} then 3 else case
        when (r - ${active}) / ${1 - active} < 0.85 then 2 when (r - ${active}) / ${1 - active} < 0.93 then 6
        when (r - ${active}) / ${1 - active} < 0.95 then 7 when (r - ${active}) / ${1 - active} < 0.97 then 1
        when (r - ${active}) / ${1 - active} < 0.985 then 4 else 5 end end as status
    from (select n, ('x' || substr(md5('r' || n), 1, 7))::bit(28)::int / 268435456.0 as r from generate_series(0, ${projects - 1}) n) s`)

  const began = ['start', 'send', 'deny', 'approve', 'review', 'schedule']
  await Promise.all([
    run(`
      insert into project (id, tenant_id, user_id, editor_id, title, instructions, caption_style, submit_month, status,
        queue_position, due_at, publish_at, destinations, final_video_id, approved_video_id, cover_id, feedback, editing_begun,
        cuts, turnaround_hours, due_by, submitted_at, modified_at, expires_at, seq)
      select id, tenant_id, user_id, case when status not in (0, 6) then editor_id end, 'Three myths about rates, part ' || n,
        repeat('Keep it friendly and short. ', 5), 1 + n % 5, to_char(at, 'YYYY-MM'), status,
        case when status in (0, 4, 5) then n * 1024.0 end,
        case when status = 7 then now() + interval '30 days' end, case when status = 7 then now() + interval '30 days' end,
        case when status = 7 then array['download'] end,
        case when status in (2, 3, 4, 5, 7) then cut end, case when status in (2, 5, 7) then cut end,
        case when status in (2, 5, 7) then cut else source end,
        case when status = 4 then '{"criteria": [{"id": "pacing", "label": "Pacing", "score": 4}]}'::jsonb end,
        status not in (0, 6), case when status in (2, 3, 4, 5, 7) then 1 else 0 end, 24,
        case when status <> 2 then at + interval '1 day' end, at, at + interval '1 day',
        case when status in (2, 5, 7) then at + interval '90 days' end,
        ${versionByStatus}
      from filling order by n`),
    run(`
      insert into project_event (project_id, seq, user_id, tenant_id, verb, from_status, to_status, title, description,
        metadata, actor_id, actor_role, actor_serves_all, at, before, counted)
      select p.id, v.seq, p.user_id, p.tenant_id, v.verb, s.come, s.go, 'What happened', 'The video was sent on its way.',
        jsonb_build_object('verb', v.verb, 'actorId', p.editor_id, 'actorRole', 'Editor'),
        case when v.verb in (${list(began)}) then p.editor_id else p.user_id end, 'Editor', false, p.at + interval '1 hour' * v.seq,
        case when v.seq > 1 then '{"status": 0, "due_at": null, "due_by": null, "cover_id": null, "feedback": null, "editor_id": null,
          "expires_at": null, "publish_at": null, "destinations": null, "submit_month": "2026-11", "editing_begun": false,
          "final_video_id": null, "queue_position": 1024, "approved_video_id": null}'::jsonb end,
        case when v.seq > 1 then '{"cut": 1}'::jsonb end
      from filling p
      cross join lateral unnest((${verbsByStatus})[1 : ${versionByStatus}]) with ordinality v (verb, seq)
      join (values ('create', null, 0), ('start', 0, 1), ('send', 1, 3), ('deny', 3, 4), ('approve', 3, 2), ('review', 2, 5),
        ('schedule', 2, 7), ('cancel', 0, 6)) s (verb, come, go) on s.verb = v.verb
      order by p.n, v.seq`),
  ])
  await Promise.all([
    run(`
      insert into asset (id, tenant_id, author_id, project_id, purpose, file_name, extension, file_size, received_bytes, sha256,
        state, type, duration_ms, width, height, derived, uploaded_at)
      select file, tenant_id, author, id, purpose, 'IMG_' || n || '.mov', 'mov', 90000000, 90000000, repeat('0f', 32),
        'ready', 'video', 61000, 1080, 1920,
        '{"original": "original.mov", "play": "1/play.mp4", "poster": "1/poster.jpg", "thumb": "1/thumb.jpg", "peaks": "1/peaks.bin"}', at
      from (
        select n, source as file, tenant_id, user_id as author, id, 'source' as purpose, at from filling
        union all
        select n, cut, tenant_id, editor_id, id, 'cut', at + interval '3 hours' from filling where status in (2, 3, 4, 5, 7)
      ) files order by n`),
    run(`
      insert into project_cut (project_id, number, user_id, tenant_id, asset_id, editor_id, sent_at, verdict)
      select id, 1, user_id, tenant_id, cut, editor_id, at + interval '3 hours',
        case status when 3 then 'waiting' when 4 then 'denied' else 'approved' end
      from filling where status in (2, 3, 4, 5, 7) order by n`),
  ])
  await run('drop table filling')
  await run('insert into step_figure select f.* from step_figure_of_ledger f order by f.at')
  const makers = indexes.rows.map(({ indexdef }) => indexdef as string)
  await Promise.all([0, 1].map((half) => run(makers.filter((_, i) => i % 2 === half).join(';'))))
  for (const table of ['project', 'project_event', 'asset', 'project_cut', 'step_figure', 'person'])
    await run(`vacuum (freeze, analyze) ${table}`)
  await run('checkpoint')
}

const tenants = 50
const sqlId = (what: string) => `bench_id('${what} ' || n)`
const list = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')
const versionByStatus = `(array[1, 2, 4, 3, 4, 5, 2, 5])[status + 1]`
const verbsByStatus = `case status when 6 then array['create', 'cancel']
  when 4 then array['create', 'start', 'send', 'deny'] when 5 then array['create', 'start', 'send', 'approve', 'review']
  else array['create', 'start', 'send', 'approve', 'schedule'] end`
