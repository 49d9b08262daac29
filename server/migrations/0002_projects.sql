-- Projects, their events, files, cuts, goals, quotas.

create table project (
  id                 uuid primary key default uuidv7(),
  tenant_id          uuid references tenant,
  user_id            uuid not null references person,
  editor_id          uuid references person,
  title              text not null,
  instructions       text not null,
  caption_style      smallint not null,
  caption_suggestion text,
  submit_month       text not null check (submit_month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  status             smallint not null check (status between 0 and 7),
  -- Fractional. In status 0 the place in the one queue; in 4 and 5 the place among the editor's own returned work.
  queue_position     double precision,
  -- When SYSTEM must act: the month's start of a later submission, or the publishing time.
  due_at             timestamptz,
  publish_at         timestamptz,
  destinations       text[],
  -- The latest cut sent to approval, and the latest approved one (what the officer sees).
  final_video_id     uuid,
  approved_video_id  uuid,
  -- The file whose poster stands for the project.
  cover_id           uuid,
  feedback           jsonb,
  is_free            boolean not null default false,
  editing_begun      boolean not null default false,
  cuts               integer not null default 0,
  -- What the plan promised when the project was submitted.
  turnaround_hours   real,
  due_by             timestamptz,
  submitted_at       timestamptz not null,
  modified_at        timestamptz not null,
  expires_at         timestamptz,
  -- The sequence of the latest event: counts up with every change.
  version            integer not null,
  check ((status in (0, 4, 5)) = (queue_position is not null)),
  check (status not in (1, 3, 4, 5) or editor_id is not null),
  check (status not in (2, 3) or final_video_id is not null)
);
-- What the row-level policy reads stands in it too, so that the queue is walked and counted without visiting its rows.
create index project_queue on project (queue_position, id) include (editor_id, user_id, tenant_id) where status = 0;
create index project_tenant_queue on project (tenant_id, queue_position, id) where status = 0;
create index project_returned on project (editor_id, queue_position, id) where status in (4, 5);
create index project_due on project (due_at) where due_at is not null;
create index project_expires on project (expires_at) where expires_at is not null;
create index project_user on project (user_id, submitted_at, id);
create index project_user_modified on project (user_id, modified_at, id);
create index project_editor on project (editor_id, submitted_at, id) where editor_id is not null;
create index project_tenant on project (tenant_id, submitted_at, id);
create index project_submitted on project (submitted_at, id);
create index project_modified on project (modified_at, id);
create index project_status_submitted on project (status, submitted_at, id);
create index project_status_modified on project (status, modified_at, id);

-- The ledger: one row a transition, append-only by grant. Timeline, messages and live updates follow from it.
create table project_event (
  project_id  uuid not null references project,
  seq         integer not null,
  user_id     uuid not null,
  tenant_id   uuid,
  verb        text not null,
  from_status smallint,
  to_status   smallint not null,
  title       text not null,
  description text not null,
  metadata    jsonb not null,
  actor_id    uuid not null,
  actor_role  text not null,
  at          timestamptz not null,
  -- What a rollback of this step restores: the changed columns as they were, and what was counted.
  before      jsonb,
  counted     jsonb,
  -- The step that this rollback undid.
  undoes      integer,
  primary key (project_id, seq)
);
create unique index project_event_undoes on project_event (project_id, undoes) where undoes is not null;

create table asset (
  id             uuid primary key,
  tenant_id      uuid references tenant,
  author_id      uuid not null references person,
  project_id     uuid references project,
  purpose        text not null check (purpose in ('source', 'cut')),
  file_name      text not null,
  extension      text not null,
  declared_type  text not null default '',
  file_size      bigint not null check (file_size >= 0),
  received_bytes bigint not null default 0,
  sha256         text,
  state          text not null check (state in ('uploading', 'received', 'checking', 'ready', 'rejected', 'failed')),
  stage          text,
  progress       real,
  type           text not null default 'file' check (type in ('video', 'audio', 'picture', 'file')),
  duration_ms    integer,
  width          integer,
  height         integer,
  reason         text,
  notes          text[] not null default '{}',
  -- What ffprobe found, and which files were derived (names below the asset's own folder, filmstrip numbers).
  probe          jsonb,
  derived        jsonb not null default '{}',
  -- Which run of the ingest job may write; a later attempt fences an earlier one.
  attempt        integer not null default 0,
  uploaded_at    timestamptz not null default now(),
  modified_at    timestamptz not null default now()
);
create index asset_project on asset (project_id) where project_id is not null;
create index asset_unused on asset (author_id, uploaded_at) where project_id is null;
create index asset_open on asset (state, modified_at) where state in ('uploading', 'received', 'checking');

alter table project add foreign key (final_video_id) references asset;
alter table project add foreign key (approved_video_id) references asset;
alter table project add foreign key (cover_id) references asset on delete set null;

-- The cuts that were sent to approval; none ever vanishes.
create table project_cut (
  project_id uuid not null references project,
  number     integer not null,
  user_id    uuid not null,
  tenant_id  uuid,
  asset_id   uuid not null references asset,
  editor_id  uuid not null references person,
  sent_at    timestamptz not null,
  verdict    text not null default 'waiting' check (verdict in ('waiting', 'approved', 'denied', 'replaced')),
  primary key (project_id, number)
);
-- Whoever reads files asks this of each: the answer stands in the index.
create index project_cut_asset on project_cut (asset_id) include (user_id, tenant_id, verdict);

create table project_comment (
  id         uuid primary key default uuidv7(),
  project_id uuid not null references project,
  user_id    uuid not null,
  tenant_id  uuid,
  number     integer not null,
  at_ms      integer not null check (at_ms >= 0),
  text       text not null,
  author_id  uuid not null references person,
  created_at timestamptz not null default now(),
  -- Written by staff before the video was finished: it stays between staff.
  internal   boolean not null,
  -- The event (a revision request) it was sent along with.
  event_seq  integer
);
create index project_comment_project on project_comment (project_id, at_ms, id);

create table quota_use (
  user_id uuid not null references person,
  month   text not null,
  used    integer not null check (used >= 0),
  primary key (user_id, month)
);

create table goal (
  id         uuid primary key default uuidv7(),
  editor_id  uuid not null references person,
  tenant_id  uuid,
  iso_week   text not null,
  target     integer not null check (target >= 0),
  progress   integer not null default 0 check (progress >= 0),
  created_at timestamptz not null default now(),
  unique (editor_id, iso_week)
);
create table goal_day (
  goal_id  uuid not null references goal on delete cascade,
  date     date not null,
  target   integer not null check (target >= 0),
  progress integer not null default 0 check (progress >= 0),
  primary key (goal_id, date)
);

-- Live updates follow from the rows themselves, so that no writer can forget them; delivered on commit.
create function tell_project_live() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('type', 'project', 'projectId', new.project_id, 'status', new.to_status,
    'version', new.seq, 'verb', new.verb, 'userId', new.user_id, 'tenantId', new.tenant_id)::text);
  return null;
end $$;
create trigger project_event_live after insert on project_event for each row execute function tell_project_live();

create function tell_asset_live() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('type', 'asset', 'assetId', new.id, 'projectId', new.project_id,
    'state', new.state, 'stage', new.stage, 'progress', new.progress, 'userId', new.author_id, 'tenantId', new.tenant_id)::text);
  return null;
end $$;
create trigger asset_live after update of state, stage, progress on asset for each row
  when (old.state is distinct from new.state or old.stage is distinct from new.stage or old.progress is distinct from new.progress)
  execute function tell_asset_live();

alter table project enable row level security;         alter table project force row level security;
alter table project_event enable row level security;   alter table project_event force row level security;
alter table asset enable row level security;           alter table asset force row level security;
alter table project_cut enable row level security;     alter table project_cut force row level security;
alter table project_comment enable row level security; alter table project_comment force row level security;
alter table quota_use enable row level security;       alter table quota_use force row level security;
alter table goal enable row level security;            alter table goal force row level security;
alter table goal_day enable row level security;        alter table goal_day force row level security;

create policy project_seen on project
  using (user_id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant()));
create policy project_event_seen on project_event
  using (user_id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant()));
-- An officer sees own files, and of the cuts those that were approved.
create policy asset_seen on asset using (
  author_id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant())
  or exists (select from project_cut c where c.asset_id = asset.id and c.user_id = actor_id() and c.verdict = 'approved')
);
create policy project_cut_seen on project_cut
  using ((select serves_all()) or tenant_id = (select served_tenant()) or (user_id = (select actor_id()) and verdict = 'approved'));
create policy project_comment_seen on project_comment
  using ((user_id = (select actor_id()) and not internal) or (select serves_all()) or tenant_id = (select served_tenant()));
create policy quota_use_seen on quota_use using (user_id = actor_id() or actor_role() in ('SYSTEM', 'QA', 'ADMIN'));
create policy goal_seen on goal using (editor_id = actor_id() or actor_role() in ('SYSTEM', 'QA', 'ADMIN'));
create policy goal_day_seen on goal_day using (exists (select from goal g where g.id = goal_id));

-- What a policy hides but a rule or a label needs: one value each, never a row.
create function name_of(person uuid) returns text language sql stable security definer set search_path = public, pg_temp
  as $$ select name from person p where p.id = person $$;
create function time_zone_of(person uuid) returns text language sql stable security definer set search_path = public, pg_temp
  as $$ select time_zone from person p where p.id = person $$;
-- The same for everybody on a page at once.
create function labels_of(people uuid[]) returns table (id uuid, name text, time_zone text)
  language sql stable security definer rows 20 set search_path = public, pg_temp
  as $$ select p.id, p.name, p.time_zone from person p where p.id = any (people) $$;
create function queue_end() returns double precision language sql stable security definer set search_path = public, pg_temp
  as $$ select coalesce((select queue_position from project where status = 0 order by queue_position desc, id desc limit 1), 0) $$;
create function returned_first(editor uuid) returns double precision language sql stable security definer set search_path = public, pg_temp
  as $$ select coalesce((select queue_position from project where status in (4, 5) and editor_id = editor
                         order by queue_position, id limit 1), 0) $$;
-- Counted from 1, and no further than 1000: the cost is bounded whatever the queue's length.
create function queue_place(at double precision, project uuid) returns integer language sql stable security definer set search_path = public, pg_temp
  as $$ select count(*)::integer + 1 from (
          select from project p where p.status = 0 and (p.queue_position, p.id) < (at, project) limit 999) ahead $$;

grant select, insert, update on project, project_cut, project_comment, quota_use, goal, goal_day to clear_app;
grant select, insert, update, delete on asset to clear_app;
grant select, insert on project_event to clear_app;
