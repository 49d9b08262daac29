-- An officer's files are the officer's own until they are submitted: editors and QA meet them with the project, or with the
-- note that shows them. An ADMIN helps with uploads and submits for officers, and so sees them before.
drop policy asset_seen on asset;
create policy asset_seen on asset using (
  author_id = (select actor_id())
  or (((select serves_all()) or tenant_id = (select served_tenant()))
      and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')
           or exists (select from note_asset n where n.asset_id = asset.id)))
  or exists (select from project_cut c where c.asset_id = asset.id and c.user_id = actor_id() and c.verdict = 'approved')
);

-- A library is read by whom it serves and written by ADMINs alone: a tenant's by its own, the service's by the service's.
create function writes_library(of_tenant uuid) returns boolean language sql stable parallel safe
  as $$ select actor_role() = 'SYSTEM'
    or (actor_role() = 'ADMIN' and (actor_tenant() is null or coalesce(of_tenant = actor_tenant(), false))) $$;

drop policy prompt_seen on prompt;
create policy prompt_seen on prompt for select
  using (tenant_id is null or tenant_id = actor_tenant() or staff_reach(tenant_id));
create policy prompt_written on prompt using (writes_library(tenant_id));

drop policy prompt_category_seen on prompt_category;
create policy prompt_category_seen on prompt_category for select
  using (actor_role() = 'SYSTEM' or exists (select from prompt p where p.id = prompt_id));
create policy prompt_category_written on prompt_category
  using (exists (select from prompt p where p.id = prompt_id and writes_library(p.tenant_id)));

drop policy script_seen on script;
create policy script_seen on script for select using (
  actor_role() = 'SYSTEM'
  or user_id = actor_id()
  or (user_id is null and exists (select from prompt_category c where c.id = category_id))
);
create policy script_written on script using (
  actor_role() = 'SYSTEM'
  or user_id = actor_id()
  or (user_id is null and exists (
    select from prompt_category c join prompt p on p.id = c.prompt_id
    where c.id = category_id and writes_library(p.tenant_id)))
);
