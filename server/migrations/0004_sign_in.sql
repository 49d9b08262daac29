-- Sign-in: failed tries, healing rotation; and who may read what the rules of people and plans need.

-- Tries at a password, counted for addresses we know and do not know alike, so that the count tells nobody which is which.
-- The address is kept as a hash: what strangers type is none of our business.
create table sign_in_try (
  account bytea primary key,
  tries   integer not null,
  since   timestamptz not null
);
create index sign_in_try_since on sign_in_try (since);

-- With it the successor can be computed again from the token that was exchanged, within its grace, and from nothing else.
alter table refresh_token add column salt bytea;
create index session_family_ends on session_family (ends_at);
create index one_time_token_ends on one_time_token (ends_at);

-- People type codes from paper.
create unique index tenant_invite_code on tenant (upper(invite_code));
create index person_seats on person (tenant_id) where role = 'User' and not is_disabled;

-- Steps of the demo that were taken, each once, and the row they made.
create table seeded (
  step  text primary key,
  about uuid,
  at    timestamptz not null default now()
);

alter table sign_in_try enable row level security; alter table sign_in_try force row level security;
alter table seeded enable row level security;      alter table seeded force row level security;
create policy sign_in_try_system on sign_in_try using (actor_role() = 'SYSTEM');
-- A step is noted in the very transaction that takes it, whoever takes it; nothing in it is anybody's.
create policy seeded_all on seeded using (true);

-- Whoever may put an officer's project into the queue (an ADMIN submits for officers, QA unschedules) must be able to
-- count it against what that officer, or the tenant, pays for.
drop policy subscription_seen on subscription;
create policy subscription_seen on subscription using (
  user_id = actor_id()
  or tenant_id = actor_tenant()
  or actor_role() = 'SYSTEM'
  or (actor_role() in ('QA', 'ADMIN') and (actor_tenant() is null or exists (
    select from person p where p.id = user_id and p.tenant_id = actor_tenant())))
);

-- A category, and a library's script, are seen by whoever sees the library; a person's own by whoever sees the person.
alter table prompt_category enable row level security; alter table prompt_category force row level security;
create policy prompt_category_seen on prompt_category
  using (actor_role() = 'SYSTEM' or exists (select from prompt p where p.id = prompt_id));
drop policy script_seen on script;
create policy script_seen on script using (
  actor_role() = 'SYSTEM'
  or user_id = actor_id()
  or (user_id is not null and actor_role() in ('Editor', 'QA', 'ADMIN') and exists (select from person p where p.id = user_id))
  or (user_id is null and exists (select from prompt_category c where c.id = category_id))
);

-- Functions that answer one value beyond what a policy shows (name_of, queue_end) run as the tables' owner, who stands
-- under the policies like everybody. Only reading is let through, and nobody connects to the product as the owner.
create policy person_read_by_functions on person for select to current_user using (true);
create policy project_read_by_functions on project for select to current_user using (true);

grant select, insert, update, delete on sign_in_try, seeded to clear_app;

-- The service's own library of scripts: there is always one, empty at first.
insert into prompt (tenant_id) values (null);
