-- The edit of each project, its renders, and the words a company or an officer wants spelled right.

create table edit (
  project_id  uuid primary key references project,
  tenant_id   uuid,
  -- waiting and preparing: the first cut is on its way; failed: there is none, and reason says why.
  state       text not null default 'waiting' check (state in ('waiting', 'preparing', 'ready', 'failed')),
  stage       text,
  progress    real,
  reason      text,
  -- Counts what was saved; 0 while there is no recipe.
  revision    integer not null default 0 check (revision >= 0),
  recipe      jsonb,
  -- As the rules made it, to go back to.
  first_cut   jsonb,
  -- What the words were to be: the officer's script, or what an editor typed or imported.
  script      text not null default '',
  -- How the words were found, and what an editor should look at.
  transcript  jsonb,
  -- Which run of the job may write; a later one fences an earlier one.
  attempt     integer not null default 0,
  modified_at timestamptz not null default now(),
  modified_by uuid references person,
  check ((revision = 0) = (recipe is null))
);

create table render (
  id           uuid primary key default uuidv7(),
  project_id   uuid not null references project,
  tenant_id    uuid,
  revision     integer not null,
  recipe       jsonb not null,
  state        text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'canceled')),
  stage        text,
  progress     real,
  seconds_left real,
  reason       text,
  -- The finished file; it goes the way of every cut from here.
  asset_id     uuid references asset on delete set null,
  attempt      integer not null default 0,
  asked_by     uuid not null references person,
  asked_at     timestamptz not null default now(),
  modified_at  timestamptz not null default now()
);
create index render_project on render (project_id, asked_at desc);
create index render_asset on render (asset_id) where asset_id is not null;
-- A project has one render at a time.
create unique index render_open on render (project_id) where state in ('queued', 'running');

create table glossary (
  -- A tenant's or a person's id: ids are unique over both.
  owner_id    uuid primary key,
  tenant_id   uuid,
  entries     jsonb not null,
  modified_at timestamptz not null default now()
);

create function tell_edit_live() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('type', 'edit', 'projectId', new.project_id, 'state', new.state,
    'stage', new.stage, 'progress', new.progress, 'revision', new.revision, 'userId', '', 'tenantId', new.tenant_id)::text);
  return null;
end $$;
create trigger edit_live after insert or update of state, stage, progress, revision on edit for each row execute function tell_edit_live();

create function tell_render_live() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('type', 'render', 'renderId', new.id, 'projectId', new.project_id,
    'state', new.state, 'stage', new.stage, 'progress', new.progress, 'secondsLeft', new.seconds_left,
    'userId', '', 'tenantId', new.tenant_id)::text);
  return null;
end $$;
create trigger render_live after insert or update of state, stage, progress on render for each row execute function tell_render_live();

alter table edit enable row level security;     alter table edit force row level security;
alter table render enable row level security;   alter table render force row level security;
alter table glossary enable row level security; alter table glossary force row level security;

-- The craft is between staff; the officer sees what came out of it.
create policy edit_seen on edit using ((select serves_all()) or tenant_id = (select served_tenant()));
create policy render_seen on render using ((select serves_all()) or tenant_id = (select served_tenant()));
create policy glossary_seen on glossary
  using (owner_id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant()));

grant select, insert, update on edit, render, glossary to clear_app;
