-- floor: 0300
-- The plan at whose price a single video was bought, of which it takes something when that plan is changed. Of those bought
-- before: the plan that counted for their buyer, as far as it can be told. See docs/decisions/1150.
alter table extra_project add column subscription_id uuid references subscription on delete set null;
create index extra_project_of_plan on extra_project (subscription_id, created_at);
select set_config('app.role', 'SYSTEM', true);
update extra_project x set subscription_id = (
  select s.id from subscription s join person p on p.id = x.user_id
  where (s.user_id = p.id or s.tenant_id = p.tenant_id) and s.start_date <= x.created_at
  order by s.tenant_id is null, s.start_date desc, s.id limit 1);
select set_config('app.role', '', true);
