-- A project whose month has begun enters the queue when somebody's plan, free video or bought video entitles it. Else it
-- waits, with the reason, and is asked again when that may have changed.

alter table project
  -- Why it waits although its month has begun; null: it does not.
  add column waits_for text check (waits_for in ('no-plan', 'paused', 'unpaid', 'month-full')),
  -- When it entered the queue, and the subscription whose plan it used; null: the free video, or one bought by itself.
  add column used_at timestamptz,
  add column paid_by uuid references subscription on delete set null;
alter table project add check (waits_for is null or (status = 7 and final_video_id is null));
create index project_waiting on project (user_id) where waits_for is not null;
create index project_paid_by on project (paid_by, used_at) where paid_by is not null;
create index project_month on project (user_id, submit_month);

-- What the running periods have used so far. The owner stands under the policies like everybody.
select set_config('app.role', 'SYSTEM', true);
update project p set used_at = p.submitted_at, paid_by = s.id
  from subscription s
  where s.status in ('active', 'trialing', 'past_due') and p.submitted_at >= s.current_period_start
    and case when s.tenant_id is null then s.user_id = p.user_id and p.tenant_id is null else s.tenant_id = p.tenant_id end
    and not p.is_free and not (p.status = 7 and p.final_video_id is null) and not (p.status = 6 and not p.editing_begun);
select set_config('app.role', '', true);

-- Waiting projects of these people are asked again at once. Each reason to enter the queue begins with a change of one of
-- the rows below, or with a month; so whoever makes the change need not think of those who wait for it.
create function wake_waiting(people uuid[]) returns void
  language sql volatile security definer set search_path = public, pg_temp
  as $$ update project set due_at = now() where user_id = any (people) and waits_for is not null and due_at is not null $$;

create function wake_payers() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform wake_waiting(array(
    select id from person where id = new.user_id union select id from person where tenant_id = new.tenant_id));
  return null;
end $$;
create trigger subscription_begun after insert on subscription for each row execute function wake_payers();
create trigger subscription_changed after update on subscription for each row
  when ((old.status, old.plan_id, old.paused_from, old.current_period_start, old.user_id, old.tenant_id)
    is distinct from (new.status, new.plan_id, new.paused_from, new.current_period_start, new.user_id, new.tenant_id))
  execute function wake_payers();

create function wake_buyer() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform wake_waiting(array[new.user_id]);
  return null;
end $$;
create trigger extra_project_paid after update of state on extra_project for each row
  when (new.state = 'paid' and old.state <> 'paid') execute function wake_buyer();

-- Where a month's count is given back. One that is being asked at this moment waits for the same count, and sees it.
create function wake_counted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update project set due_at = now() where id in (
    select id from project where user_id = new.user_id and waits_for is not null and due_at is not null
    for update skip locked);
  return null;
end $$;
create trigger quota_given_back after update of used on quota_use for each row
  when (new.used < old.used) execute function wake_counted();

create function wake_moved() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform wake_waiting(array[new.id]);
  return null;
end $$;
create trigger person_moved after update of tenant_id on person for each row
  when (new.tenant_id is distinct from old.tenant_id) execute function wake_moved();

create function wake_members() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform wake_waiting(array(select id from person where tenant_id = new.id));
  return null;
end $$;
create trigger tenant_active after update of is_active on tenant for each row
  when (new.is_active and not old.is_active) execute function wake_members();

create function wake_subscribers() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform wake_waiting(array(
    select p.id from subscription s join person p on p.id = s.user_id or p.tenant_id = s.tenant_id where s.plan_id = new.id));
  return null;
end $$;
create trigger plan_changed after update of metadata on plan for each row
  when (new.metadata is distinct from old.metadata) execute function wake_subscribers();
