-- floor: 0188
-- What reports count of a step of the ledger, in narrow rows that indexes hold whole: a year of a million videos is summed
-- without reading the ledger. A row follows from its step alone and goes with it when it is undone. See docs/decisions/0494.
create table step_figure (
  project_id    uuid not null,
  seq           integer not null,
  at            timestamptz not null,
  verb          text not null check (verb in ('create', 'approve', 'deny', 'review', 'cancel')),
  user_id       uuid not null,
  tenant_id     uuid,
  -- Whose cut was approved, denied or sent back.
  editor_id     uuid,
  -- Of an approval: the video's first one, and no cut of it was denied before.
  is_first      boolean not null default false,
  is_first_pass boolean not null default false,
  -- Of a first approval, in seconds from the queue: what it took, and what the plan promised.
  took_s        integer,
  promised_s    integer,
  is_late       boolean,
  -- Of a first approval: how long the approved cut is.
  length_ms     integer,
  -- Of a denial.
  categories    text[],
  scores        jsonb,
  primary key (project_id, seq),
  foreign key (project_id, seq) references project_event (project_id, seq)
);

-- The one place that says how a figure follows from the ledger.
create view step_figure_of_ledger with (security_invoker = true) as
select e.project_id, e.seq, e.at, e.verb, e.user_id, e.tenant_id, c.editor_id,
  coalesce(f.approvals = 0, false) as is_first,
  coalesce(f.approvals = 0 and f.denials = 0, false) as is_first_pass,
  case when f.approvals = 0 then floor(extract(epoch from e.at - f.queued_at))::integer end as took_s,
  case when f.approvals = 0 then floor(extract(epoch from f.due_by - f.queued_at))::integer end as promised_s,
  case when f.approvals = 0 then e.at > f.due_by end as is_late,
  case when f.approvals = 0 then a.duration_ms end as length_ms,
  case when e.verb = 'deny' then
    array(select jsonb_array_elements_text(case when jsonb_typeof(e.metadata->'categories') = 'array' then e.metadata->'categories' else '[]' end)) end as categories,
  case when e.verb = 'deny' then coalesce((
    select jsonb_agg(jsonb_build_object('id', s->>'id', 'label', s->>'label', 'score', s->'score'))
    from jsonb_array_elements(
      case when jsonb_typeof(e.metadata->'denyFeedback'->'criteria') = 'array' then e.metadata->'denyFeedback'->'criteria' else '[]' end) s), '[]') end as scores
from public.project_event e
left join public.project_cut c on e.verb in ('approve', 'deny', 'review') and c.project_id = e.project_id
  and c.number = coalesce(e.counted->>'cut', e.metadata->>'cut')::integer
left join public.asset a on e.verb = 'approve' and a.id = c.asset_id
left join lateral (
  select count(*) filter (where b.verb = 'approve' and not u.is_undone) as approvals,
    count(*) filter (where b.verb = 'deny' and not u.is_undone) as denials,
    -- When it came to the queue, at the sending in or when its month began.
    max(b.at) filter (where b.verb in ('create', 'release') and b.to_status = 0) as queued_at,
    (e.before->>'due_by')::timestamptz as due_by
  from public.project_event b
  cross join lateral (select exists (
    select from public.project_event o where o.project_id = b.project_id and o.undoes = b.seq) as is_undone) u
  where b.project_id = e.project_id and b.seq < e.seq) f on e.verb = 'approve'
where e.verb in ('create', 'approve', 'deny', 'review', 'cancel')
  and not exists (select from public.project_event o where o.project_id = e.project_id and o.undoes = e.seq);

-- Nobody writes a figure by hand: the ledger does, in the name of the owner.
create function keep_step_figure() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.undoes is null then
    insert into step_figure select * from step_figure_of_ledger f where f.project_id = new.project_id and f.seq = new.seq;
  else
    delete from step_figure f where f.project_id = new.project_id and f.seq = new.undoes;
  end if;
  return null;
end $$;
create trigger project_event_figure after insert on project_event for each row
  when (new.undoes is not null or new.verb in ('create', 'approve', 'deny', 'review', 'cancel'))
  execute function keep_step_figure();

alter table step_figure enable row level security; alter table step_figure force row level security;
create policy step_figure_seen on step_figure for select
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy step_figure_kept on step_figure to current_user using (true) with check (true);
grant select on step_figure to clear_app;

select set_config('app.role', 'SYSTEM', true);
insert into step_figure select * from step_figure_of_ledger;
select set_config('app.role', '', true);

create index step_figure_at on step_figure (at)
  include (verb, user_id, tenant_id, editor_id, is_first, is_first_pass, took_s, promised_s, is_late, length_ms);
create index step_figure_tenant on step_figure (tenant_id, at)
  include (verb, user_id, editor_id, is_first, is_first_pass, took_s, promised_s, is_late, length_ms);
create index step_figure_officer on step_figure (user_id, at);
create index step_figure_editor on step_figure (editor_id, at) where editor_id is not null;
create index step_figure_sent on step_figure (at) include (user_id, tenant_id) where verb = 'create';
create index step_figure_denied on step_figure (at) where verb = 'deny';
