-- People, tenants, sign-in. The app connects as clear_app, which owns nothing and cannot bypass a policy.

-- Who acts in this transaction. Set by enter(), read by every policy.
create function actor_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.actor_id', true), '')::uuid $$;
create function actor_role() returns text language sql stable parallel safe
  as $$ select coalesce(current_setting('app.role', true), '') $$;
create function actor_tenant() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.tenant_id', true), '')::uuid $$;
-- The service itself and staff without a tenant serve every tenant.
create function serves_all() returns boolean language sql stable parallel safe
  as $$ select actor_role() = 'SYSTEM' or (actor_role() in ('Editor', 'QA', 'ADMIN') and actor_tenant() is null) $$;
-- The tenant that staff of a tenant serve; null for everybody else.
create function served_tenant() returns uuid language sql stable parallel safe
  as $$ select case when actor_role() in ('Editor', 'QA', 'ADMIN') then actor_tenant() end $$;
create function staff_reach(tenant uuid) returns boolean language sql stable parallel safe
  as $$ select serves_all() or tenant = served_tenant() $$;
-- In the policies of big tables these questions stand in sub-selects: asked once a statement instead of once a row, and
-- not taken for something rare, which would make the planner sort everything instead of walking an index.

create table tenant (
  id                   uuid primary key default uuidv7(),
  name                 text not null,
  is_active            boolean not null default true,
  preferences          jsonb not null default '{}',
  invite_code          text not null unique,
  total_users_allowed  integer not null check (total_users_allowed >= 0),
  charge_by_email      boolean not null default false,
  default_product_id   text,
  default_plan_id      text,
  default_coupon_code  text,
  allowed_products     text[],
  use_own_scripts      boolean not null default false,
  created_at           timestamptz not null default now()
);

create table person (
  id            uuid primary key default uuidv7(),
  email         text not null unique check (email = lower(email)),
  name          text not null,
  role          text not null check (role in ('User', 'Editor', 'QA', 'ADMIN')),
  -- Counts up whenever role, tenant or standing change: an ID token of an older version counts no more.
  role_version  integer not null default 1,
  is_disabled   boolean not null default false,
  tenant_id     uuid references tenant,
  editor_id     uuid references person,
  profession    text,
  photo_url     text,
  preferences   jsonb not null default '{}',
  time_zone     text not null default 'America/New_York',
  fcm_token     text,
  experience_id text,
  customer_id   text not null default 'cus_' || replace(uuidv7()::text, '-', ''),
  -- Free projects that count; one is given, a rollback may make it two.
  free_projects integer not null default 0 check (free_projects >= 0),
  created_at    timestamptz not null default now(),
  modified_at   timestamptz not null default now()
);
create index person_tenant on person (tenant_id, name, id);
create index person_role on person (role, name, id);
create index person_name on person (name, id);
create index person_created on person (created_at, id);
create index person_editor on person (editor_id) where editor_id is not null;

-- Sets the actor of this transaction and refuses a session whose person changed: one call, no second round trip.
-- Roles of the service itself (SYSTEM) have no person and pass role_version null.
create function enter(id uuid, role text, tenant uuid, version integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('app.actor_id', id::text, true), set_config('app.role', role, true),
          set_config('app.tenant_id', coalesce(tenant::text, ''), true);
  if version is not null and not exists (
    select from person p where p.id = enter.id and p.role_version = version and not p.is_disabled
  ) then
    raise exception 'session ended' using errcode = 'CT401';
  end if;
end $$;

create table password (
  person_id  uuid primary key references person on delete cascade,
  hash       text not null,
  changed_at timestamptz not null default now()
);

-- One family a sign-in; its tokens rotate. A reused token revokes the family.
create table session_family (
  id         uuid primary key default uuidv7(),
  person_id  uuid not null references person on delete cascade,
  created_at timestamptz not null default now(),
  ends_at    timestamptz not null,
  revoked_at timestamptz
);
create index session_family_person on session_family (person_id);

create table refresh_token (
  hash       bytea primary key,
  family_id  uuid not null references session_family on delete cascade,
  created_at timestamptz not null default now(),
  -- When it was exchanged for its successor.
  rotated_at timestamptz
);
create index refresh_token_family on refresh_token (family_id);

-- Single-use tokens and codes, bound to a purpose and a person (or an address not yet anyone's).
create table one_time_token (
  hash        bytea primary key,
  purpose     text not null,
  person_id   uuid references person on delete cascade,
  email       text,
  created_at  timestamptz not null default now(),
  ends_at     timestamptz not null,
  tries_left  integer not null default 5,
  redeemed_at timestamptz
);
create index one_time_token_person on one_time_token (person_id, purpose);
create index one_time_token_email on one_time_token (email, purpose);

create table signing_key (
  kid         text primary key,
  private_jwk jsonb not null,
  public_jwk  jsonb not null,
  created_at  timestamptz not null default now(),
  retired_at  timestamptz
);

alter table tenant enable row level security;         alter table tenant force row level security;
alter table person enable row level security;         alter table person force row level security;
alter table password enable row level security;       alter table password force row level security;
alter table session_family enable row level security; alter table session_family force row level security;
alter table refresh_token enable row level security;  alter table refresh_token force row level security;
alter table one_time_token enable row level security; alter table one_time_token force row level security;
alter table signing_key enable row level security;    alter table signing_key force row level security;

create policy tenant_seen on tenant using (staff_reach(id) or id = actor_tenant());
create policy person_seen on person
  using (id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant()));
create policy password_system on password using (actor_role() = 'SYSTEM');
create policy session_family_system on session_family using (actor_role() = 'SYSTEM');
create policy refresh_token_system on refresh_token using (actor_role() = 'SYSTEM');
create policy one_time_token_system on one_time_token using (actor_role() = 'SYSTEM');
create policy signing_key_system on signing_key using (actor_role() = 'SYSTEM');

grant select, insert, update, delete on tenant, person, password, session_family, refresh_token, one_time_token, signing_key to clear_app;
