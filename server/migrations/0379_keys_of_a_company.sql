-- floor: 0300
-- Keys of a company itself. Who acts by them is the company, as a row of `person` that nobody signs in with: shut for everything but
-- its keys. See docs/decisions/0790.
alter table person
  add column is_company boolean not null default false,
  add constraint company_is_shut check (not is_company or (is_disabled and tenant_id is not null and role = 'ADMIN'));
create unique index person_company on person (tenant_id) where is_company;

create or replace function enter(id uuid, role text, tenant uuid, stamp integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('app.actor_id', id::text, true), set_config('app.role', role, true),
          set_config('app.tenant_id', coalesce(tenant::text, ''), true);
  if role <> 'SYSTEM' then
    perform set_config('app.caller_id', id::text, true), set_config('app.caller_role', role, true);
  end if;
  if stamp is null then
    return;
  end if;
  if current_setting('transaction_read_only') = 'off' then
    perform pg_advisory_xact_lock_shared(hashtextextended('calls of ' || id, 0));
  end if;
  -- A company enters by a key alone, and while it is not closed.
  if not exists (
    select from person p
    where p.id = enter.id and p.security_stamp = stamp and (not p.is_disabled or (p.is_company and actor_key() is not null
      and exists (select from tenant t where t.id = p.tenant_id and t.is_active))))
  then
    raise exception 'session ended' using errcode = 'CT401';
  end if;
end $$;

create or replace function enter(id uuid, role text, tenant uuid, stamp integer, key uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('app.key_id', key::text, true), enter(id, role, tenant, stamp);
  if not exists (select from api_key k where k.id = key and k.person_id = enter.id and k.revoked_at is null and k.ends_at > now()) then
    raise exception 'key ended' using errcode = 'CT402';
  end if;
end $$;
