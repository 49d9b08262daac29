-- A person's calendar, read by programs that cannot sign in: whoever has the link reads it. Kept as it is, because its
-- person may copy it again; a renewed one ends the old one at once.
create table calendar_link (
  person_id  uuid primary key references person on delete cascade,
  secret     text not null unique,
  created_at timestamptz not null default now()
);
alter table calendar_link enable row level security; alter table calendar_link force row level security;
create policy calendar_link_own on calendar_link using (person_id = actor_id() or actor_role() = 'SYSTEM');
grant select, insert, update, delete on calendar_link to clear_app;
