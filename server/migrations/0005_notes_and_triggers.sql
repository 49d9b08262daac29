-- Notes about officers, triggers, tracked events.

create table note (
  id           uuid primary key default uuidv7(),
  user_id      uuid not null references person on delete cascade,
  tenant_id    uuid references tenant,
  author_id    uuid not null references person,
  author_email text not null,
  title        text not null,
  content      text not null,
  created_at   timestamptz not null default now(),
  modified_at  timestamptz not null default now(),
  deleted_at   timestamptz
);
create index note_user on note (user_id, created_at);
create table note_asset (
  note_id  uuid not null references note on delete cascade,
  asset_id uuid not null references asset on delete cascade,
  position integer not null,
  primary key (note_id, asset_id)
);
-- What happened to a note, kept by the service: append-only by grant.
create table note_event (
  note_id     uuid not null references note on delete cascade,
  at          timestamptz not null,
  seq         bigint generated always as identity primary key,
  type        text not null check (type in ('created', 'updated', 'deleted', 'asset-added', 'asset-removed')),
  actor_email text not null,
  details     text
);
create index note_event_note on note_event (note_id, seq);

-- Named "notification_trigger": trigger is SQL's own word.
create table notification_trigger (
  id             uuid primary key default uuidv7(),
  title          text not null,
  description    text not null,
  transport_type text[] not null,
  notification   jsonb not null,
  status         text not null default 'scheduled'
                 check (status in ('scheduled', 'running', 'completed', 'failed', 'paused', 'cancelled', 'active', 'expired')),
  recurrence     jsonb,
  time_zone      text not null,
  tenant_ids     uuid[],
  execution_date text,
  time_of_day    text not null,
  criteria       jsonb not null,
  next_execution timestamptz,
  created_at     timestamptz not null default now(),
  modified_at    timestamptz not null default now()
);
create index notification_trigger_created on notification_trigger (created_at, id);

create table tracked_event (
  id       bigint generated always as identity primary key,
  at       timestamptz not null default now(),
  category text not null,
  label    text not null,
  action   text not null,
  params   jsonb
);
create index tracked_event_at on tracked_event (at);

create index script_own_created on script (user_id, created_at, id) where user_id is not null;

alter table note enable row level security;                 alter table note force row level security;
alter table note_asset enable row level security;           alter table note_asset force row level security;
alter table note_event enable row level security;           alter table note_event force row level security;
alter table notification_trigger enable row level security; alter table notification_trigger force row level security;
alter table tracked_event enable row level security;        alter table tracked_event force row level security;
-- Staff in reach; never the officer it is about.
create policy note_staff on note using (staff_reach(tenant_id));
create policy note_asset_staff on note_asset using (exists (select from note n where n.id = note_id));
create policy note_event_staff on note_event using (exists (select from note n where n.id = note_id));
-- A tenant's own ADMIN speaks to that tenant only.
create policy notification_trigger_admin on notification_trigger using (
  actor_role() = 'SYSTEM' or (actor_role() = 'ADMIN' and (actor_tenant() is null or tenant_ids = array[actor_tenant()])));
create policy tracked_event_system on tracked_event using (actor_role() = 'SYSTEM');

grant select, insert, update on note to clear_app;
grant select, insert, delete on note_asset to clear_app;
grant select, insert on note_event, tracked_event to clear_app;
grant select, insert, update, delete on notification_trigger to clear_app;

-- An ADMIN may tell something to people in reach, and reads nobody's list by it.
create policy notification_told_by_admin on notification for insert
  with check (actor_role() = 'ADMIN' and exists (select from person p where p.id = user_id));
