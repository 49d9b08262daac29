-- floor: 0250
-- Accounts at networks that are a company's: its ADMINs connect them, and say which of its officers post there. See
-- docs/decisions/0660.
alter table connection
  alter column user_id drop not null,
  add column tenant_id uuid references tenant on delete cascade,
  add constraint connection_of_one check ((user_id is null) <> (tenant_id is null)),
  add constraint connection_of_company unique (id, tenant_id);
create unique index connection_company on connection (tenant_id, network, account_id) where tenant_id is not null;
-- For which company the way is gone; null where it is for oneself.
alter table connection_walk add column tenant_id uuid references tenant on delete cascade;
create index connection_walk_company on connection_walk (tenant_id) where tenant_id is not null;

-- Which officers post with an account of their company's.
create table connection_officer (
  connection_id uuid not null,
  user_id       uuid not null references person on delete cascade,
  tenant_id     uuid not null,
  allowed_at    timestamptz not null,
  primary key (connection_id, user_id),
  foreign key (connection_id, tenant_id) references connection (id, tenant_id) on delete cascade
);
create index connection_officer_person on connection_officer (user_id);
create trigger audit after insert or delete or update on connection_officer
  for each row execute function keep_audit('posting-right', '', '', 'connection_id', 'user_id');
alter table connection_officer enable row level security; alter table connection_officer force row level security;
create policy connection_officer_seen on connection_officer for select
  using ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN' and tenant_id = (select actor_tenant()))
    or (user_id = (select actor_id()) and tenant_id = (select actor_tenant())));
create policy connection_officer_allowed on connection_officer for insert
  with check ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN' and tenant_id = (select actor_tenant())));
create policy connection_officer_ended on connection_officer for delete
  using ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN' and tenant_id = (select actor_tenant())));
grant select, insert, delete on connection_officer to clear_app;

-- Whose account it is changes it; officers who post with their company's read it.
drop policy connection_own on connection;
create policy connection_seen on connection for select
  using (user_id = (select actor_id()) or (select actor_role()) = 'SYSTEM'
    or ((select actor_role()) = 'ADMIN' and tenant_id = (select actor_tenant()))
    -- Of these rights an officer sees their own alone, and those of their company now.
    or exists (select from connection_officer o where o.connection_id = id));
create policy connection_made on connection for insert
  with check (user_id = (select actor_id()) or (select actor_role()) = 'SYSTEM'
    or ((select actor_role()) = 'ADMIN' and tenant_id = (select actor_tenant())));
create policy connection_changed on connection for update
  using (user_id = (select actor_id()) or (select actor_role()) = 'SYSTEM'
    or ((select actor_role()) = 'ADMIN' and tenant_id = (select actor_tenant())));
create policy connection_dropped on connection for delete
  using (user_id = (select actor_id()) or (select actor_role()) = 'SYSTEM'
    or ((select actor_role()) = 'ADMIN' and tenant_id = (select actor_tenant())));

-- Whether somebody posts with an account now: it is theirs, or of the company that they film for, which lets them.
create function may_post_with(account uuid, officer uuid) returns boolean language sql stable set search_path = public, pg_temp as $$
  select exists (
    select from connection c
    where c.id = account and c.state <> 'disconnected' and (c.user_id = officer or exists (
      select from connection_officer o join person p on p.id = o.user_id
      where o.connection_id = c.id and o.user_id = officer and o.tenant_id = c.tenant_id
        and p.tenant_id = c.tenant_id and p.role = 'User')))
$$;

-- Who leaves a company, or films no longer, posts with its accounts no more, and is asked for anew when they come back.
create function end_posting_rights() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from connection_officer where user_id = new.id;
  return null;
end $$;
create trigger end_posting_rights after update of tenant_id, role on person for each row
  when (old.tenant_id is distinct from new.tenant_id or old.role is distinct from new.role)
  execute function end_posting_rights();

create or replace function keep_posts_own() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if actor_role() is distinct from 'SYSTEM' and not (
      may_post_with(new.connection_id, new.user_id)
      and exists (select from project j where j.id = new.project_id and j.user_id = new.user_id))
    then
      raise exception 'a post is made of one''s own video, to an account that one posts with' using errcode = 'insufficient_privilege';
    end if;
    new.schedule_seq := coalesce(new.schedule_seq, schedule_of(new.project_id));
    return new;
  end if;
  -- Code of before knows no company's accounts: nothing is sent with one by whom it does not let.
  if new.state = 'armed' and old.state <> 'armed' and not may_post_with(new.connection_id, new.user_id) then
    raise exception 'this account is not posted with any more' using errcode = 'insufficient_privilege';
  end if;
  if actor_role() is distinct from 'SYSTEM' and old.user_id is distinct from actor_id()
    and (new.project_id, new.user_id, new.connection_id, new.network, new.asset_id, new.sha256, new.title, new.words,
        new.privacy, new.schedule_seq, date_trunc('milliseconds', new.due_at))
      is distinct from
      (old.project_id, old.user_id, old.connection_id, old.network, old.asset_id, old.sha256, old.title, old.words,
        old.privacy, old.schedule_seq, date_trunc('milliseconds', old.due_at))
  then
    raise exception 'what is posted where is its officer''s alone' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
