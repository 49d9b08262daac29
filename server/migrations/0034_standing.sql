-- Live streams of somebody whose role, company or right to be here changed end at once, on every server.
create function tell_standing_live() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('type', 'standing', 'userId', new.id)::text);
  return null;
end $$;
create trigger person_standing_live after update of role, tenant_id, is_disabled, role_version on person for each row
  when (old.role is distinct from new.role or old.tenant_id is distinct from new.tenant_id
    or old.is_disabled is distinct from new.is_disabled or old.role_version is distinct from new.role_version)
  execute function tell_standing_live();

-- Whether an officer's account was removed: a fact of the workflow that staff of any tenant may be told.
create function is_gone(person uuid) returns boolean language sql stable security definer set search_path = public, pg_temp
  as $$ select coalesce((select p.removed_at is not null from person p where p.id = person), true) $$;
