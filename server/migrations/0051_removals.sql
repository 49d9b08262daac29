-- Removals: what was erased, what stays, and when; without anything that names the person.
create table removal (
  id          uuid primary key default uuidv7(),
  -- What the person's mail and an ADMIN's list know it by.
  number      text not null unique,
  person_id   uuid not null references person,
  tenant_id   uuid,
  by_role     text not null,
  removed_at  timestamptz not null,
  -- When files and outside services were done, too.
  finished_at timestamptz,
  -- As it was said to the person: sentences, and { what, why }.
  erased      jsonb not null,
  stays       jsonb not null,
  -- What the job still has to erase; null once it has.
  work        jsonb,
  check ((finished_at is null) = (work is not null))
);
create index removal_removed on removal (removed_at, id);
create index removal_open on removal (removed_at) where work is not null;

alter table removal enable row level security; alter table removal force row level security;
create policy removal_system on removal using (actor_role() = 'SYSTEM');
create policy removal_seen on removal for select
  using (actor_role() = 'ADMIN' and (actor_tenant() is null or tenant_id = actor_tenant()));
grant select, insert, update on removal to clear_app;

-- A mail whose row is deleted as soon as it is settled: it leaves no address behind.
alter table mail add column is_forgotten boolean not null default false;

-- The ledger is only ever added to; of an officer who is removed it keeps the steps and loses what was written. What is
-- kept of a step is a list, so that a new kind of text is erased until somebody says otherwise.
-- The function runs as the tables' owner, who stands under the policies like everybody; the product's role has no grant.
create policy project_event_erased on project_event for update to current_user using (actor_role() = 'SYSTEM');
create function erase_ledger(of_person uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if actor_role() <> 'SYSTEM' then
    raise exception 'only the service erases' using errcode = '42501';
  end if;
  update project_event set
    metadata = coalesce((
      select jsonb_object_agg(key, value) from jsonb_each(metadata)
      where key in ('verb', 'actorId', 'actorRole', 'submitMonth', 'waitsFor', 'finalVideoId', 'editorId', 'categories',
                    'comments', 'undoes', 'outcomes', 'cut', 'publishAt')), '{}'),
    before = before - 'feedback'
  where user_id = of_person;
end $$;

-- The planner keeps samples of what columns hold; they are taken anew.
create function forget_samples() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if actor_role() <> 'SYSTEM' then
    raise exception 'only the service erases' using errcode = '42501';
  end if;
  analyze person, project, project_event, project_comment, asset, edit, render, glossary, script, note, note_event,
    notification, mail, push, answered_request, charge, subscription, sandbox_object, pgboss.job;
end $$;
