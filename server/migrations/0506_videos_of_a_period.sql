-- floor: 0300
-- A period is kept once it is charged, up to two weeks after it began (decision 1203). Videos that entered the queue meanwhile are its
-- own, too: since when they are, is noted when the period is first read, and recorded_at of what is kept is that moment. See
-- docs/decisions/1214.
alter table subscription add column period_since timestamptz;
select set_config('app.role', 'SYSTEM', true);
update subscription set period_since = least(current_period_start, now()) where provider_id is not null;
-- What the first period of a plan counts from stays: nothing of what came before was paid by one that was kept.
update subscription_period p set recorded_at = least(p.recorded_at, p.starts) where exists (
  select from subscription_period k where k.subscription_id = p.subscription_id and k.starts < p.starts);
select set_config('app.role', '', true);
