-- Notifications on a browser or a phone.

-- Whom push services know us as (VAPID, RFC 8292). Made once: with another key every subscription would be lost.
create table push_key (
  id          boolean primary key default true check (id),
  public_key  text not null,
  private_key text not null,
  created_at  timestamptz not null default now()
);

-- A browser that somebody subscribed. It hears for as long as the sign-in it was subscribed in lives.
create table push_device (
  id         uuid primary key default uuidv7(),
  person_id  uuid not null references person on delete cascade,
  family_id  uuid not null references session_family on delete cascade,
  -- The push service's address for it: whoever knows it may send to it, so it stands in no log.
  endpoint   text not null unique,
  p256dh     text not null,
  auth       text not null,
  name       text not null,
  created_at timestamptz not null default now(),
  -- When a push service last took a message for it.
  reached_at timestamptz
);
create index push_device_person on push_device (person_id);
create index push_device_family on push_device (family_id);

-- What is to be shown, once for everybody who gets it.
create table push (
  id         uuid primary key default uuidv7(),
  title      text not null,
  body       text not null,
  url        text not null,
  useless_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index push_created on push (created_at);

-- One for each device; `device_id` null: the phone that `person.fcm_token` names.
create table push_delivery (
  id         bigint generated always as identity primary key,
  push_id    uuid not null references push on delete cascade,
  key        text not null,
  person_id  uuid not null references person on delete cascade,
  device_id  uuid references push_device on delete cascade,
  state      text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'gone', 'dropped')),
  attempts   integer not null default 0,
  -- When it may be tried; while somebody tries it, when their claim ends.
  due_at     timestamptz not null default now(),
  error      text,
  settled_at timestamptz,
  unique nulls not distinct (person_id, key, device_id)
);
create index push_delivery_due on push_delivery (push_id, due_at) where state = 'waiting';
create index push_delivery_push on push_delivery (push_id);
create index push_delivery_device on push_delivery (device_id) where device_id is not null;

alter table push_key enable row level security;      alter table push_key force row level security;
alter table push_device enable row level security;   alter table push_device force row level security;
alter table push enable row level security;          alter table push force row level security;
alter table push_delivery enable row level security; alter table push_delivery force row level security;
create policy push_key_system on push_key using (actor_role() = 'SYSTEM');
create policy push_device_own on push_device using (person_id = actor_id() or actor_role() = 'SYSTEM');
create policy push_system on push using (actor_role() = 'SYSTEM');
create policy push_delivery_system on push_delivery using (actor_role() = 'SYSTEM');
grant select, insert on push_key to clear_app;
grant select, insert, update, delete on push_device, push, push_delivery to clear_app;
