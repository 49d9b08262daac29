-- Posting to networks: accounts that people connected, and posts on their way. See docs/decisions/0480 and 0481.
create table connection (
  id            uuid primary key default uuidv7(),
  user_id       uuid not null references person on delete cascade,
  network       text not null,
  -- As the network calls the account.
  account_id    text not null,
  name          text not null,
  -- Sealed with a key that lies outside of the database (server/src/outside/sealed.ts); null once it is disconnected.
  tokens        text,
  -- Of those in `tokens`, so that nobody has to open them to see whether they end.
  access_ends_at timestamptz,
  ends_at       timestamptz,
  state         text not null default 'active' check (state in ('active', 'needs-sign-in', 'disconnected')),
  -- One refreshes at a time: whoever wrote this.
  refreshing_until timestamptz,
  -- How many days before its end its owner was told last.
  told_days     integer,
  connected_at  timestamptz not null default now(),
  modified_at   timestamptz not null default now(),
  unique (user_id, network, account_id)
);
create index connection_ends on connection (ends_at) where state = 'active' and ends_at is not null;

-- The way to a network and back: who went, with what the network must send back.
create table connection_walk (
  state_hash bytea primary key,
  user_id    uuid not null references person on delete cascade,
  network    text not null,
  verifier   text not null,
  ends_at    timestamptz not null
);
create index connection_walk_of on connection_walk (user_id);
create index connection_walk_ends on connection_walk (ends_at);

create table post (
  id            uuid primary key default uuidv7(),
  project_id    uuid not null references project,
  tenant_id     uuid,
  user_id       uuid not null references person,
  connection_id uuid references connection on delete set null,
  network       text not null,
  -- The approved file: this one is posted or none.
  asset_id      uuid not null references asset,
  sha256        text not null,
  title         text,
  words         text not null,
  privacy       text,
  due_at        timestamptz not null,
  state         text not null default 'scheduled',
  failure       text check (failure in ('retry', 'reauth', 'permanent', 'limit', 'policy')),
  failure_words text,
  -- What the network gave out on the way; each is here before the next request.
  handles       jsonb not null default '{}',
  tried         integer not null default 0,
  -- When somebody looks at it again; null when nothing more happens by itself.
  next_at       timestamptz,
  -- Which run has it, and until when it is believed to live.
  run           integer not null default 0,
  leased_until  timestamptz,
  armed_at      timestamptz,
  -- At the network.
  remote_id     text,
  address       text,
  live_at       timestamptz,
  created_at    timestamptz not null default now(),
  modified_at   timestamptz not null default now()
);
create index post_next on post (next_at) where next_at is not null;
create index post_of_project on post (project_id, created_at);
create index post_of_person on post (user_id, due_at);
create index post_of_connection on post (connection_id) where connection_id is not null;

-- Everything that happened to a post, for ever.
create table post_event (
  post_id    uuid not null references post on delete cascade,
  seq        integer not null,
  event      text not null,
  from_state text not null,
  to_state   text not null,
  at         timestamptz not null,
  actor_id   uuid,
  detail     jsonb not null default '{}',
  primary key (post_id, seq)
);

alter table connection enable row level security;      alter table connection force row level security;
alter table connection_walk enable row level security; alter table connection_walk force row level security;
alter table post enable row level security;            alter table post force row level security;
alter table post_event enable row level security;      alter table post_event force row level security;

-- A connection is its owner's alone: no colleague, no company and no ADMIN sees or uses it.
create policy connection_own on connection
  using (user_id = (select actor_id()) or (select actor_role()) = 'SYSTEM');
create policy connection_walk_own on connection_walk
  using (user_id = (select actor_id()) or (select actor_role()) = 'SYSTEM');
-- A post is its officer's to make; whoever takes a schedule or an approval back withdraws it.
create policy post_seen on post for select
  using (user_id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant()));
create policy post_made on post for insert
  with check (user_id = (select actor_id()) or (select actor_role()) = 'SYSTEM');
create policy post_moved on post for update
  using (user_id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant()));
create policy post_dropped on post for delete using ((select actor_role()) = 'SYSTEM');
create policy post_event_seen on post_event for select
  using (exists (select from post p where p.id = post_id));
create policy post_event_made on post_event for insert
  with check (exists (select from post p where p.id = post_id));
create policy post_event_dropped on post_event for delete using ((select actor_role()) = 'SYSTEM');

grant select, insert, update, delete on connection, connection_walk, post to clear_app;
grant select, insert, delete on post_event to clear_app;
