-- floor: 0187
-- pg_dump empties search_path, and reads through the policies where the owner is no superuser: what policies call names its
-- schema, so that a dump by such an owner has every row (docs/operations.md, “With a PostgreSQL of your own”).
create or replace function serves_all() returns boolean language sql stable parallel safe
  as $$ select public.actor_role() = 'SYSTEM'
    or (public.actor_role() in ('Editor', 'QA', 'ADMIN') and public.actor_tenant() is null) $$;
create or replace function served_tenant() returns uuid language sql stable parallel safe
  as $$ select case when public.actor_role() in ('Editor', 'QA', 'ADMIN') then public.actor_tenant() end $$;
create or replace function staff_reach(tenant uuid) returns boolean language sql stable parallel safe
  as $$ select public.serves_all() or tenant = public.served_tenant() $$;
create or replace function writes_library(of_tenant uuid) returns boolean language sql stable parallel safe
  as $$ select public.actor_role() = 'SYSTEM'
    or (public.actor_role() = 'ADMIN' and (public.actor_tenant() is null or coalesce(of_tenant = public.actor_tenant(), false))) $$;
