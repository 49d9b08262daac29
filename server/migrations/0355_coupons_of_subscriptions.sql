-- floor: 0300
-- Which coupons a subscription was ever given, so that one of some months is not given to the same payer again (decision 765). Whoever
-- had one before this was kept is taken to have had each of these terms.
select set_config('app.role', 'SYSTEM', true);
alter table subscription add column coupon_ids text[] not null default '{}';
update subscription s set coupon_ids = array(
  select c.id from coupon c
  where c.months is not null and coalesce(c.percent_off, 0) = s.percent_off and coalesce(c.amount_off, 0) = s.amount_off order by c.id)
where s.discount_ends is not null;
select set_config('app.role', '', true);
