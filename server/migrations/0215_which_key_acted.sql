-- floor: 0213
-- The ledger and the audit log say which API key acted, where a program did. The database writes it: no code forgets it.
-- See docs/decisions/0601.

-- The key of this transaction's caller; null: a person themselves, or the service.
create function actor_key() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.key_id', true), '')::uuid $$;

-- As a person by one of their keys. A key that ended, also a moment ago, is told so.
create function enter(id uuid, role text, tenant uuid, stamp integer, key uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform enter(id, role, tenant, stamp), set_config('app.key_id', key::text, true);
  if not exists (select from api_key k where k.id = key and k.person_id = enter.id and k.revoked_at is null and k.ends_at > now()) then
    raise exception 'key ended' using errcode = 'CT402';
  end if;
end $$;

alter table project_event add column key_id uuid;
alter table project_event alter column key_id set default public.actor_key();

alter table audit_entry add column key_id uuid;
create or replace function add_audit(company uuid, kind text, act text, subject text, of_person uuid, changes jsonb) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  salt bytea := uuid_send(gen_random_uuid());
  entry uuid := uuidv7();
begin
  insert into audit_entry (id, at, tenant_id, actor_id, actor_role, kind, act, subject_id, person_id, values_hash, key_id)
  values (entry, clock_timestamp(), company, nullif(current_setting('app.caller_id', true), '')::uuid,
    coalesce(nullif(current_setting('app.caller_role', true), ''), 'SYSTEM'), kind, act, subject, of_person,
    sha256(salt || convert_to(changes::text, 'UTF8')), actor_key());
  insert into audit_value (entry_id, tenant_id, person_id, salt, changes) values (entry, company, of_person, salt, changes);
  insert into audit_waiting (entry_id) values (entry);
end $$;

-- An entry without a key reads as before: its link stays what it is.
create or replace function audit_text(e audit_entry) returns text language sql stable set timezone = 'UTC' as $$
  select (jsonb_build_array(e.id, e.at, e.tenant_id, e.actor_id, e.actor_role, e.kind, e.act, e.subject_id, e.person_id,
    encode(e.values_hash, 'hex')) || case when e.key_id is null then '[]'::jsonb else jsonb_build_array(e.key_id) end)::text
$$;
