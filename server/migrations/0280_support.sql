-- Questions to the people who run the service or the company, with their answers. See docs/decisions/0670.
create table support_thread (
  id          uuid primary key default uuidv7(),
  -- Null: somebody without an account, who wrote by the contact form.
  person_id   uuid references person on delete cascade,
  -- Of the person when they asked.
  tenant_id   uuid references tenant on delete cascade,
  -- Where somebody without an account is answered; null: they left no address.
  guest_email text,
  project_id  uuid references project,
  subject     text not null,
  -- `waiting`: for an answer of staff's.
  state       text not null default 'waiting' check (state in ('waiting', 'answered', 'closed')),
  -- Who of staff has taken it.
  assignee_id uuid references person,
  -- Since when it waits, or when it was answered or closed.
  since       timestamptz not null,
  -- Its place in the list: what waits first, the oldest of it first; then the newest.
  place       double precision not null,
  created_at  timestamptz not null,
  check (person_id is null or guest_email is null)
);
create index support_thread_person on support_thread (person_id, since, id) where person_id is not null;
create index support_thread_place on support_thread (place, id);
create index support_thread_tenant on support_thread (tenant_id, place, id);

create table support_message (
  id         uuid primary key default uuidv7(),
  thread_id  uuid not null references support_thread on delete cascade,
  -- The thread's.
  person_id  uuid references person on delete cascade,
  tenant_id  uuid,
  -- Null: somebody without an account.
  author_id  uuid references person,
  by_staff   boolean not null,
  kind       text not null check (kind in ('message', 'assigned', 'closed', 'reopened')),
  body       text not null,
  -- To whom it was given.
  about_id   uuid references person,
  created_at timestamptz not null,
  check ((kind = 'message') = (body <> ''))
);
create index support_message_thread on support_message (thread_id, created_at, id);

create function support_place() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.place := case new.state when 'waiting' then extract(epoch from new.since) else
    (case new.state when 'answered' then 2e10 else 4e10 end) - extract(epoch from new.since) end;
  return new;
end $$;
create trigger place before insert or update on support_thread for each row execute function support_place();

create function tell_support() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into news (told) values (json_build_object('type', 'support', 'threadId', new.id,
    'userId', new.person_id, 'tenantId', new.tenant_id));
  return null;
end $$;
create trigger tell after insert or update on support_thread for each row execute function tell_support();

alter table support_thread enable row level security; alter table support_thread force row level security;
alter table support_message enable row level security; alter table support_message force row level security;
create policy support_thread_seen on support_thread for select
  using (person_id = (select actor_id())
    or ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant()))));
create policy support_thread_asked on support_thread for insert
  with check (person_id = (select actor_id()) or (select actor_role()) = 'SYSTEM');
create policy support_thread_moved on support_thread for update
  using (person_id = (select actor_id())
    or ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant()))));
create policy support_thread_dropped on support_thread for delete using ((select actor_role()) = 'SYSTEM');
create policy support_message_seen on support_message for select
  using (person_id = (select actor_id())
    or ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant()))));
create policy support_message_written on support_message for insert
  with check ((select actor_role()) = 'SYSTEM' or (author_id = (select actor_id()) and (person_id = (select actor_id())
    or ((select actor_role()) = 'ADMIN' and ((select serves_all()) or tenant_id = (select served_tenant()))))));
create policy support_message_dropped on support_message for delete using ((select actor_role()) = 'SYSTEM');
grant select, insert, delete on support_thread to clear_app;
grant update (state, assignee_id, since) on support_thread to clear_app;
-- What was said stays as it was said.
grant select, insert, delete on support_message to clear_app;
