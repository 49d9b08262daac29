-- A seat is taken by an officer whose address is confirmed: whoever invents addresses fills no company (decision 0349).
create or replace function seats_taken(of_tenant uuid) returns bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select count(*) from person p
        where p.tenant_id = of_tenant and p.role = 'User' and not p.is_disabled and p.email_verified_at is not null $$;
