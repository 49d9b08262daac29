-- floor: 0300
-- A video whose officer is shut out, or films no more, does not enter the queue when its month begins; it goes on when they are back.
-- See docs/decisions/1193.
alter table project drop constraint project_waits_for_check,
  add constraint project_waits_for_check check (waits_for in ('no-plan', 'paused', 'unpaid', 'month-full', 'officer-inactive'));

create trigger person_back after update of is_disabled, role on person for each row
  when ((old.is_disabled and not new.is_disabled) or new.role is distinct from old.role) execute function wake_moved();

-- A single video whose payment goes back is set aside for its month no more, unless a project entered the queue on it: as many of the
-- month as entered on neither the plan nor are waiting (boughtInUse in domain/src/plans.ts) stay used. See docs/decisions/1194.
create function free_unpaid_extra() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  set_aside integer;
  entered integer;
begin
  set_aside := (select count(*) from extra_project where user_id = new.user_id and used_month = new.used_month);
  entered := coalesce((select used from quota_use where user_id = new.user_id and month = new.used_month), 0) - (
    select count(*) from project where user_id = new.user_id and submit_month = new.used_month and not is_free
      and (paid_by is not null or (status = 7 and final_video_id is null)));
  if set_aside > entered then
    new.used_month := null;
  end if;
  return new;
end $$;
create trigger extra_unpaid before update of state on extra_project for each row
  when (new.state = 'failed' and old.state <> 'failed' and new.used_month is not null) execute function free_unpaid_extra();

select set_config('app.role', 'SYSTEM', true);
-- On those of months that are to come nothing has entered.
update extra_project set used_month = null
  where state = 'failed' and used_month > to_char(now() at time zone 'Pacific/Kiritimati', 'YYYY-MM');
select set_config('app.role', '', true);
