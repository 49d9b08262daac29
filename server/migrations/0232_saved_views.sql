-- floor: 0231
-- What somebody narrows a list to, kept under a name for themselves. See docs/decisions/0617.
create table saved_view (
  id         uuid primary key default uuidv7(),
  person_id  uuid not null references person on delete cascade,
  -- The address of the list, such as /panel/people.
  page       text not null,
  name       text not null,
  -- What stands in the address behind it, by name.
  search     jsonb not null check (jsonb_typeof(search) = 'object'),
  created_at timestamptz not null default now(),
  unique (person_id, page, name)
);
alter table saved_view enable row level security; alter table saved_view force row level security;
create policy saved_view_own on saved_view using (person_id = (select actor_id()) or (select actor_role()) = 'SYSTEM');
grant select, insert, delete on saved_view to clear_app;
grant update (name, search) on saved_view to clear_app;
