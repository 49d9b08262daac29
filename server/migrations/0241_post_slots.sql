-- floor: 0240
-- When in the week an officer posts: `weekday` 1 is Monday, `time` is what the clocks of their account show. See docs/decisions/0626.
create table post_slots (
  user_id     uuid primary key references person on delete cascade,
  slots       jsonb not null check (jsonb_typeof(slots) = 'array' and jsonb_array_length(slots) <= 50),
  modified_at timestamptz not null default now()
);
alter table post_slots enable row level security; alter table post_slots force row level security;
create policy post_slots_own on post_slots
  using (user_id = (select actor_id()) or (select actor_role()) = 'SYSTEM');
grant select, insert, update, delete on post_slots to clear_app;
