-- floor: 0230
-- What an editor is paid, from a month on: for a minute of approved video, or for an hour that they had a video in hand. The row
-- names the company that agreed on it, whose ADMINs alone see it. See docs/decisions/0616.
create table editor_rate (
  id         uuid primary key default uuidv7(),
  person_id  uuid not null references person on delete cascade,
  tenant_id  uuid references tenant on delete cascade,
  -- `2026-11`: it counts from this month on.
  from_month text not null check (from_month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  unit       text not null check (unit in ('minute', 'hour')),
  -- In the currency's smallest unit; null: from then on there is none.
  amount     integer check (amount > 0),
  currency   text not null check (currency ~ '^[a-z]{3}$'),
  set_by     uuid not null references person,
  set_at     timestamptz not null default now(),
  unique nulls not distinct (person_id, tenant_id, from_month)
);
create index editor_rate_tenant on editor_rate (tenant_id);
create index editor_rate_set_by on editor_rate (set_by);
create trigger audit after insert or delete or update on editor_rate
  for each row execute function keep_audit('rate', 'from_month unit amount currency', '', 'person_id', 'person_id');
alter table editor_rate enable row level security; alter table editor_rate force row level security;
create policy editor_rate_seen on editor_rate for select
  using ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN'
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
create policy editor_rate_set on editor_rate for insert
  with check ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN'
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
create policy editor_rate_changed on editor_rate for update
  using ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN'
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
create policy editor_rate_erased on editor_rate for delete using ((select actor_role()) = 'SYSTEM');
grant select, insert, delete on editor_rate to clear_app;
grant update (unit, amount, currency, set_by, set_at) on editor_rate to clear_app;
