-- floor: 0300
-- Each thing that can let a waiting video enter the queue wakes what waits for it (0043). These did not: more seats, a debt that is
-- settled, more videos that a payment holds, and a video that an officer of the same company gives back. A test reads what is asked
-- (server/src/projects/waking.test.ts). See docs/decisions/1186.
drop trigger subscription_changed on subscription;
create trigger subscription_changed after update on subscription for each row
  when ((old.status, old.plan_id, old.paused_from, old.current_period_start, old.user_id, old.tenant_id, old.quantity, old.owed_since,
      old.start_date, old.provider_id)
    is distinct from (new.status, new.plan_id, new.paused_from, new.current_period_start, new.user_id, new.tenant_id, new.quantity,
      new.owed_since, new.start_date, new.provider_id))
  execute function wake_payers();

-- What was agreed by hand pays for every seat of its company.
create trigger tenant_seats after update of total_users_allowed on tenant for each row
  when (new.total_users_allowed > old.total_users_allowed) execute function wake_members();

-- Whoever the plan is for: one that is being asked at this moment is left to be asked.
create function wake_plan(plan uuid) returns void
  language sql volatile security definer set search_path = public, pg_temp
  as $$ update project set due_at = now() where id in (
    select j.id from subscription s join person p on p.id = s.user_id or p.tenant_id = s.tenant_id join project j on j.user_id = p.id
    where s.id = plan and j.waits_for is not null and j.due_at is not null
    for update of j skip locked) $$;

create function wake_of_period() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform wake_plan(new.subscription_id);
  return null;
end $$;
create trigger period_kept after insert on subscription_period for each row execute function wake_of_period();
create trigger period_holds_more after update on subscription_period for each row
  when (new.videos > old.videos or new.most_a_month > old.most_a_month) execute function wake_of_period();

create function wake_beside() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform wake_plan(old.paid_by);
  return null;
end $$;
create trigger plan_given_back after update of paid_by on project for each row
  when (old.paid_by is not null and new.paid_by is distinct from old.paid_by) execute function wake_beside();
