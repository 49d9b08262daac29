-- floor: 0300
-- A single video that is set aside for a month is only for a video of the company that it was set aside for; null: of none, or not
-- known. See docs/decisions/1216.
alter table extra_project add column used_for uuid references tenant;
create index extra_project_used_for on extra_project (used_for) where used_for is not null;
select set_config('app.role', 'SYSTEM', true);
-- Of whoever had videos of one company alone in that month.
update extra_project x set used_for = (
    select min(p.tenant_id::text)::uuid from project p where p.user_id = x.user_id and p.submit_month = x.used_month and not p.is_free
    having count(distinct p.tenant_id) = 1 and count(p.tenant_id) = count(*))
  where x.used_month is not null;
select set_config('app.role', '', true);

create or replace function free_unpaid_extra() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  set_aside integer;
  entered integer;
begin
  set_aside := (select count(*) from extra_project where user_id = new.user_id and used_month = new.used_month
    and (used_for is null or new.used_for is null or used_for = new.used_for));
  entered := coalesce((select used from quota_use where user_id = new.user_id and month = new.used_month), 0) - (
    select count(*) from project where user_id = new.user_id and submit_month = new.used_month and not is_free
      and (paid_by is not null or (status = 7 and final_video_id is null) or (tenant_id <> new.used_for and used_at is not null)));
  if set_aside > entered then
    new.used_month := null;
    new.used_for := null;
  end if;
  return new;
end $$;
