-- floor: 0300
-- On which plan a video entered the queue, so that reports count by what is sold: a subscription may have another plan by now.
-- Null: on the free video or on one bought by itself, or by code of before (then its subscription's plan of today is taken here).
alter table project add column paid_plan text references plan;
select set_config('app.role', 'SYSTEM', true);
update project p set paid_plan = s.plan_id from subscription s where s.id = p.paid_by;
select set_config('app.role', '', true);
