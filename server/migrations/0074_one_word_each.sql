-- What was called "version" in four meanings has a word for each: a project's number of steps is its last event's seq, a list
-- of criteria has revisions, what ends ID tokens is the person's security stamp. Cuts are called cuts.
alter table project rename column version to seq;
alter table feedback_criteria rename column version to revision;
alter table person rename column role_version to security_stamp;

drop function enter(uuid, text, uuid, integer);
-- Sets the actor of this transaction and refuses a session whose person changed: one call, no second round trip.
-- Roles of the service itself (SYSTEM) have no person and pass no stamp.
create function enter(id uuid, role text, tenant uuid, stamp integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('app.actor_id', id::text, true), set_config('app.role', role, true),
          set_config('app.tenant_id', coalesce(tenant::text, ''), true);
  if stamp is not null and not exists (
    select from person p where p.id = enter.id and p.security_stamp = stamp and not p.is_disabled
  ) then
    raise exception 'session ended' using errcode = 'CT401';
  end if;
end $$;

create or replace function tell_project_live() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('type', 'project', 'projectId', new.project_id, 'status', new.to_status,
    'seq', new.seq, 'verb', new.verb, 'userId', new.user_id, 'tenantId', new.tenant_id)::text);
  return null;
end $$;

create or replace function tell_standing_live() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('type', 'account', 'userId', new.id)::text);
  return null;
end $$;
alter function tell_project_live() rename to notify_project_live;
alter function tell_standing_live() rename to notify_account_live;
alter trigger person_standing_live on person rename to person_account_live;

-- Answers that are kept for requests that are asked again, as they would be given now. The owner stands under the policies, too.
select set_config('app.role', 'SYSTEM', true);
update answered_request
  set answer = (answer::jsonb - 'version' || jsonb_build_object('seq', answer::jsonb -> 'version'))::json
  where answer::jsonb ? 'version' and answer::jsonb ? 'submitMonth';
update answered_request
  set answer = (answer::jsonb - 'version' || jsonb_build_object('revision', answer::jsonb -> 'version'))::json
  where answer::jsonb ? 'version' and answer::jsonb ? 'criteria';
select set_config('app.role', '', true);
