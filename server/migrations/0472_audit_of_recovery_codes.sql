-- floor: 0300
-- New recovery codes, and each one that is used, stand in the audit log. A set of ten is written and removed by one statement, and
-- is one entry each time. See docs/decisions/1142.
create function keep_audit_of_recovery_codes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  one record;
begin
  for one in
    select c.person_id, p.tenant_id, p.id is null or p.removed_at is not null as is_gone
    from (select distinct person_id from changed) c left join person p on p.id = c.person_id
  loop
    if one.is_gone then
      perform forget_audited(one.person_id);
    end if;
    perform add_audit(one.tenant_id, 'recovery-codes', case tg_op when 'INSERT' then 'added' else 'removed' end,
      one.person_id::text, one.person_id, '{}');
  end loop;
  return null;
end $$;

create trigger recovery_codes_added after insert on recovery_code referencing new table as changed
  for each statement execute function keep_audit_of_recovery_codes();
create trigger recovery_codes_removed after delete on recovery_code referencing old table as changed
  for each statement execute function keep_audit_of_recovery_codes();
create trigger recovery_code_used after update on recovery_code
  for each row execute function keep_audit('recovery-codes', '', 'used_at', 'person_id', 'person_id');
