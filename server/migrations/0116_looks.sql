-- Looks: captions, cards, sound, colours and moves of an edit under a name, of a company or without one of the service.
create table look (
  id          uuid primary key default uuidv7(),
  tenant_id   uuid references tenant,
  name        text not null,
  -- As edit/src/read-look.ts has it.
  content     jsonb not null,
  added_at    timestamptz not null default now(),
  modified_at timestamptz not null default now()
);
create unique index look_name on look (tenant_id, lower(name)) nulls not distinct;

alter table look enable row level security; alter table look force row level security;

-- Staff use the service's looks and those of the companies they serve; their editors and ADMINs keep the latter.
create policy look_seen on look for select
  using ((select serves_all()) or tenant_id = (select served_tenant()) or (tenant_id is null and (select served_tenant()) is not null));
create policy look_written on look
  using ((select actor_role()) in ('SYSTEM', 'ADMIN', 'Editor') and ((select serves_all()) or tenant_id = (select served_tenant())));

grant select, insert, update, delete on look to clear_app;
