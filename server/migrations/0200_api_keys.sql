-- floor: 0191
-- Keys by which programs call in somebody's name. The key itself is shown once; what stands here finds it and gives nobody one.
-- A key counts while its person's security stamp is the one it was made under: what ends every session ends it, too. See
-- docs/decisions/0560.
create table api_key (
  id             uuid primary key default uuidv7(),
  person_id      uuid not null references person on delete cascade,
  tenant_id      uuid references tenant on delete cascade,
  name           text not null,
  -- How the key begins, by which people tell theirs apart.
  prefix         text not null,
  secret_hash    bytea not null unique,
  scopes         text[] not null check (cardinality(scopes) > 0),
  security_stamp integer not null,
  created_at     timestamptz not null default now(),
  ends_at        timestamptz not null check (ends_at > created_at and ends_at <= created_at + interval '366 days'),
  last_used_at   timestamptz,
  revoked_at     timestamptz
);
create index api_key_person on api_key (person_id, created_at);
create index api_key_tenant on api_key (tenant_id, created_at);
alter table api_key enable row level security; alter table api_key force row level security;
create policy api_key_seen on api_key for select
  using (person_id = (select actor_id()) or (select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN'
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
create policy api_key_made on api_key for insert
  with check (person_id = (select actor_id()) or (select actor_role()) = 'SYSTEM');
create policy api_key_ended on api_key for update
  using (person_id = (select actor_id()) or (select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN'
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
create policy api_key_erased on api_key for delete using ((select actor_role()) = 'SYSTEM');
grant select, insert, delete on api_key to clear_app;
-- What a key may do, and for how long, never changes.
grant update (last_used_at, revoked_at) on api_key to clear_app;
