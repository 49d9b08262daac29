-- Since when an invoice of a payer is open: grace is counted from the oldest one, and not anew in each period. Kept beside
-- the plan, for its people do not see their company's charges.
alter table subscription add column owed_since timestamptz;

select set_config('app.role', 'SYSTEM', true);
update subscription s set owed_since = (
  select min(c.created_at) from charge c
  where (c.user_id = s.user_id or c.tenant_id = s.tenant_id) and not c.paid and c.status = 'open');
select set_config('app.role', '', true);
