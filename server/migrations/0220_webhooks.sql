-- floor: 0213
-- Addresses of companies' own programs that hear of steps and posts, what is to be told, and every try. See docs/decisions/0610.
create table webhook_endpoint (
  id              uuid primary key default uuidv7(),
  -- Null: the service's, which hears of every company.
  tenant_id       uuid references tenant on delete cascade,
  url             text not null,
  description     text not null,
  events          text[] not null check (cardinality(events) > 0),
  -- Sealed; the former one signs, too, until its moment.
  secret          text not null,
  former_secret   text,
  former_until    timestamptz,
  -- `paused` by a person; `failing` for days, `gone` by its own word, `full`: more waits than is kept. All but active send nothing.
  state           text not null default 'active' check (state in ('active', 'paused', 'failing', 'gone', 'full')),
  -- Since when nothing was taken there.
  failing_since   timestamptz,
  -- Several videos fail there: nothing is tried before.
  resting_until   timestamptz,
  last_delivered_at timestamptz,
  created_at      timestamptz not null default now(),
  modified_at     timestamptz not null default now(),
  check ((former_secret is null) = (former_until is null))
);
create index webhook_endpoint_tenant on webhook_endpoint (tenant_id, created_at);

create table webhook_event (
  id         uuid primary key default uuidv7(),
  tenant_id  uuid references tenant on delete cascade,
  -- Null: a test.
  project_id uuid references project,
  type       text not null,
  -- Numbers, ids and moments; no name and no text of anybody's.
  data       jsonb not null,
  at         timestamptz not null
);
create index webhook_event_at on webhook_event (at);
create index webhook_event_project on webhook_event (project_id) where project_id is not null;

create table webhook_delivery (
  id           uuid primary key default uuidv7(),
  -- In this order, within a turn.
  number       bigint generated always as identity,
  -- No reference: a step that adds one does not wait for an endpoint that is being removed. What such an endpoint leaves goes
  -- with its events.
  endpoint_id  uuid not null,
  event_id     uuid not null references webhook_event on delete cascade,
  -- The endpoint's.
  tenant_id    uuid,
  -- The project, or the event itself: one after the other.
  turn_id      uuid not null,
  state        text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'suppressed')),
  -- Failed ones since it began to wait.
  tries        integer not null default 0,
  next_at      timestamptz not null,
  run          integer not null default 0,
  leased_until timestamptz,
  -- Of the last try.
  status       integer,
  settled_at   timestamptz,
  -- The event's.
  at           timestamptz not null,
  created_at   timestamptz not null default now(),
  unique (endpoint_id, event_id)
);
create unique index webhook_delivery_turn on webhook_delivery (endpoint_id, turn_id, number) where state = 'waiting';
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_at) where state = 'waiting';
create index webhook_delivery_listed on webhook_delivery (endpoint_id, at, id);
create index webhook_delivery_event on webhook_delivery (event_id);

create table webhook_attempt (
  id          uuid primary key default uuidv7(),
  delivery_id uuid not null references webhook_delivery on delete cascade,
  tenant_id   uuid,
  at          timestamptz not null,
  ms          integer not null,
  -- Null: no answer came, and `error` says why.
  status      integer,
  error       text,
  -- How the answer began.
  answer      text not null
);
create index webhook_attempt_delivery on webhook_attempt (delivery_id, at);

-- Keeps an event of a project for every endpoint that hears of it, in the transaction in which it happens. The company is the
-- project's own, whoever acts. Of an endpoint for which `most` wait already, nothing more is kept.
create function add_webhook_event(of_project uuid, of_type text, of_data jsonb, happened timestamptz, most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  company uuid;
  endpoint webhook_endpoint;
  event uuid;
  held timestamptz;
  added integer := 0;
begin
  select p.tenant_id into company from project p where p.id = of_project;
  if not found then
    return 0;
  end if;
  for endpoint in
    select e.* from webhook_endpoint e left join tenant t on t.id = e.tenant_id
    where (e.tenant_id is null or e.tenant_id = company) and of_type = any(e.events) and e.state <> 'full'
      and coalesce(t.is_active, true)
  loop
    continue when (select count(*) from (
      select from webhook_delivery d where d.endpoint_id = endpoint.id and d.state = 'waiting' limit most) w) >= most;
    if event is null then
      insert into webhook_event (tenant_id, project_id, type, data, at) values (company, of_project, of_type, of_data, happened)
      returning id into event;
    end if;
    -- Behind what fails of the same project, it waits as long.
    select max(d.next_at) into held from webhook_delivery d
    where d.endpoint_id = endpoint.id and d.turn_id = of_project and d.state = 'waiting';
    insert into webhook_delivery (endpoint_id, event_id, tenant_id, turn_id, at, next_at)
    values (endpoint.id, event, endpoint.tenant_id, of_project, happened, greatest(happened, held));
    added := added + 1;
  end loop;
  return added;
end $$;

alter table webhook_endpoint enable row level security; alter table webhook_endpoint force row level security;
alter table webhook_event enable row level security; alter table webhook_event force row level security;
alter table webhook_delivery enable row level security; alter table webhook_delivery force row level security;
alter table webhook_attempt enable row level security; alter table webhook_attempt force row level security;
create policy webhook_endpoint_administered on webhook_endpoint
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy webhook_event_seen on webhook_event for select
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy webhook_event_made on webhook_event for insert with check ((select actor_role()) = 'SYSTEM');
create policy webhook_event_dropped on webhook_event for delete using ((select actor_role()) = 'SYSTEM');
create policy webhook_delivery_seen on webhook_delivery for select
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy webhook_delivery_made on webhook_delivery for insert with check ((select actor_role()) = 'SYSTEM');
create policy webhook_delivery_moved on webhook_delivery for update
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy webhook_attempt_seen on webhook_attempt for select
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy webhook_attempt_made on webhook_attempt for insert with check ((select actor_role()) = 'SYSTEM');
create policy webhook_attempt_dropped on webhook_attempt for delete using ((select actor_role()) = 'SYSTEM');
create policy webhook_endpoint_kept on webhook_endpoint to current_user using (true) with check (true);
create policy webhook_event_kept on webhook_event to current_user using (true) with check (true);
create policy webhook_delivery_kept on webhook_delivery to current_user using (true) with check (true);
grant select, insert, update, delete on webhook_endpoint to clear_app;
-- What was told, and to whom, never changes.
grant select, insert, delete on webhook_event to clear_app;
grant select, insert on webhook_delivery to clear_app;
grant update (state, tries, next_at, run, leased_until, status, settled_at) on webhook_delivery to clear_app;
grant select, insert, delete on webhook_attempt to clear_app;

-- An address may hold a secret of its own, so that it changed is kept and not from what to what.
create trigger audit after insert or delete or update of url, description, events, secret, state on webhook_endpoint
  for each row execute function keep_audit('webhook', 'events state', 'url description secret', 'id', '');
