-- What a paid period would hold had its plan been the same from its first day: where a yearly plan is made bigger, only the
-- months that are left hold more. See docs/decisions/0444.
alter table subscription_period add column whole integer;
select set_config('app.role', 'SYSTEM', true);
update subscription_period set whole = videos;
alter table subscription_period alter column whole set not null;
