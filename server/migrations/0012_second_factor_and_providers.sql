-- Google and Apple, authenticator apps, passkeys, recovery codes.

-- Whom a provider's account signs in. Keyed by issuer and subject alone: an address may change hands, a subject never does.
create table connected_account (
  issuer       text not null,
  subject      text not null,
  person_id    uuid not null references person on delete cascade,
  provider     text not null,
  -- As the provider named it when it was connected; for the person to recognise, and for nothing else.
  email        text,
  connected_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (person_id, provider)
);

-- One walk to a provider and back. Nonce and code verifier are computed from the id and the service's secret; the state
-- and the browser that set out are kept as hashes.
create table provider_walk (
  id         uuid primary key,
  state      bytea not null unique,
  browser    bytea not null,
  provider   text not null,
  created_at timestamptz not null default now(),
  ends_at    timestamptz not null,
  used_at    timestamptz
);
create index provider_walk_ends on provider_walk (ends_at);

-- An authenticator app (RFC 6238). Until it is confirmed by a first code it proves nothing.
create table totp (
  person_id    uuid primary key references person on delete cascade,
  secret       bytea not null,
  -- The time step of the last code that was taken: no code is taken twice.
  last_step    bigint not null default 0,
  created_at   timestamptz not null default now(),
  confirmed_at timestamptz
);

create table passkey (
  id           uuid primary key default uuidv7(),
  person_id    uuid not null references person on delete cascade,
  -- The authenticator's own name for it, base64url.
  credential   text not null unique,
  public_key   bytea not null,
  counter      bigint not null,
  transports   text[] not null,
  name         text not null,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_person on passkey (person_id);

create table recovery_code (
  person_id uuid not null references person on delete cascade,
  hash      bytea not null,
  used_at   timestamptz,
  primary key (person_id, hash)
);

-- Whether a sign-in proves that the person was there: a session carried over from another device does not.
alter table session_family add column is_carried boolean not null default false;
-- A company may demand a second factor of everybody in it.
alter table tenant add column require_second_factor boolean not null default false;

alter table connected_account enable row level security; alter table connected_account force row level security;
alter table provider_walk enable row level security;     alter table provider_walk force row level security;
alter table totp enable row level security;              alter table totp force row level security;
alter table passkey enable row level security;           alter table passkey force row level security;
alter table recovery_code enable row level security;     alter table recovery_code force row level security;
create policy connected_account_system on connected_account using (actor_role() = 'SYSTEM');
create policy provider_walk_system on provider_walk using (actor_role() = 'SYSTEM');
create policy totp_system on totp using (actor_role() = 'SYSTEM');
create policy passkey_system on passkey using (actor_role() = 'SYSTEM');
create policy recovery_code_system on recovery_code using (actor_role() = 'SYSTEM');
grant select, insert, update, delete on connected_account, provider_walk, totp, passkey, recovery_code to clear_app;
