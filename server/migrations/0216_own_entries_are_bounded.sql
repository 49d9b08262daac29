-- floor: 0213
-- Whoever changes their own account over and over would bury the audit log: of each kind 200 entries within a day
-- (domain/src/most-kept.ts), and no more. What ends something is never refused: a revoked key, a removal. See
-- docs/decisions/0602.
create or replace function add_audit(company uuid, kind text, act text, subject text, of_person uuid, changes jsonb) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  salt bytea := uuid_send(gen_random_uuid());
  entry uuid := uuidv7();
  caller uuid := nullif(current_setting('app.caller_id', true), '')::uuid;
begin
  if of_person = caller and act <> 'removed' and not (add_audit.kind = 'api-key' and act = 'changed')
    and (add_audit.kind <> 'person' or changes ?| array[
      'name', 'nmls_number', 'licence_states', 'profession', 'photo_url', 'preferences', 'time_zone', 'work_week', 'time_off'])
    and (select count(*) from audit_entry e where e.actor_id = caller and e.at > clock_timestamp() - interval '1 day'
      and e.kind = add_audit.kind and e.person_id = caller) >= 200 then
    raise exception 'too many entries' using errcode = 'CT429';
  end if;
  insert into audit_entry (id, at, tenant_id, actor_id, actor_role, kind, act, subject_id, person_id, values_hash, key_id)
  values (entry, clock_timestamp(), company, caller,
    coalesce(nullif(current_setting('app.caller_role', true), ''), 'SYSTEM'), kind, act, subject, of_person,
    sha256(salt || convert_to(changes::text, 'UTF8')), actor_key());
  insert into audit_value (entry_id, tenant_id, person_id, salt, changes) values (entry, company, of_person, salt, changes);
  insert into audit_waiting (entry_id) values (entry);
end $$;
