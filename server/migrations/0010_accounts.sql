-- Codes by e-mail, hand-over tokens, mails, removed people.

-- What codes and hand-over tokens are computed from, together with their row's id: so that the mail's job, and a second
-- look at the QR code, can say them again without anyone keeping them. Every server of a database shares it.
create table service_secret (
  name  text primary key,
  value bytea not null
);
insert into service_secret values
  ('one-time', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

alter table one_time_token add column id uuid not null default uuidv7();
create unique index one_time_token_id on one_time_token (id);

-- One row a mail. The key says what made it necessary: however often that is said, it is one mail.
create table mail (
  id           uuid primary key default uuidv7(),
  key          text not null unique,
  recipient    text not null,
  template     text not null,
  data         jsonb not null,
  -- After this moment it helps nobody and is not sent.
  useless_at   timestamptz,
  -- 'unknown': it was handed over and no answer came. It may have arrived, so it is never sent again.
  state        text not null default 'waiting'
               check (state in ('waiting', 'sending', 'sent', 'failed', 'unknown', 'dropped')),
  error        text,
  created_at   timestamptz not null default now(),
  settled_at   timestamptz
);
create index mail_created on mail (created_at);
create index mail_recipient on mail (recipient);

-- A file somebody chose as a photo, a logo or an icon: used, though it belongs to no project. "Whose" is a person or a tenant.
create table asset_face (
  whose    uuid not null,
  field    text not null,
  asset_id uuid not null references asset on delete cascade,
  primary key (whose, field)
);
create index asset_face_asset on asset_face (asset_id);

-- Erased: the row stays for the work that names it.
alter table person add column removed_at timestamptz;
create index person_email on person (email, id);
create index person_fcm_token on person (fcm_token) where fcm_token is not null;
create index tenant_name on tenant (name, id);
create index tenant_created on tenant (created_at, id);

alter table service_secret enable row level security; alter table service_secret force row level security;
alter table mail enable row level security;           alter table mail force row level security;
alter table asset_face enable row level security;     alter table asset_face force row level security;
create policy service_secret_system on service_secret using (actor_role() = 'SYSTEM');
create policy mail_system on mail using (actor_role() = 'SYSTEM');
create policy asset_face_seen on asset_face for select using (true);
create policy asset_face_system on asset_face using (actor_role() = 'SYSTEM');
grant select on service_secret to clear_app;
grant select, insert, update, delete on mail, asset_face to clear_app;

-- A person may count the seats of their company without seeing who sits there.
create function seats_taken(of_tenant uuid) returns bigint language sql stable security definer set search_path = public, pg_temp
  as $$ select count(*) from person p where p.tenant_id = of_tenant and p.role = 'User' and not p.is_disabled $$;

-- Erasing somebody reaches rows that are otherwise only ever added to. The service alone may.
create function erase_traces(of_person uuid, address text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if actor_role() <> 'SYSTEM' then
    raise exception 'only the service erases' using errcode = '42501';
  end if;
  delete from note where user_id = of_person;
  update note set author_email = '' where author_id = of_person;
  update note_event set actor_email = '' where actor_email = address;
end $$;
