-- What of each edit is made before its render is asked for: see docs/decisions/0382.
create table render_ahead (
  project_id      uuid primary key references project,
  tenant_id       uuid,
  -- The revision of the edit that this is about.
  revision        integer not null,
  -- waiting: a job for it is queued; done: all is ready; stopped: not tried again until the edit changes.
  state           text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'stopped')),
  -- Which run may write; a later one fences an earlier one.
  attempt         integer not null default 0,
  -- How often its worker died over this revision, and since all of an edit was last made.
  crashes         integer not null default 0,
  crashes_in_all  integer not null default 0,
  -- How long runs worked on this revision.
  spent_ms        integer not null default 0,
  -- The chunks of the video in order, under the names of what they show: what changed is seen by them.
  chunk_names     text[] not null default '{}',
  -- Frame of the video up to which the last change reached; null when all of it changed.
  changed_to      integer,
  length_ms       integer,
  -- Stretches of the video that are made: [[from, to], …] in milliseconds.
  ready           jsonb not null default '[]',
  modified_at     timestamptz not null default now()
);
create index render_ahead_open on render_ahead (tenant_id) where state in ('waiting', 'running');

alter table render_ahead enable row level security;   alter table render_ahead force row level security;

-- As the edit itself: between staff.
create policy render_ahead_seen on render_ahead using ((select serves_all()) or tenant_id = (select served_tenant()));

grant select, insert, update on render_ahead to clear_app;
