-- Since when an address is its account's: mails of before were to whoever had it then. Of older accounts the mail that tells
-- of a change says it, while that is kept.
alter table person add column email_since timestamptz not null default now();

-- And an invoice is owed on the plan it was sent for: what stays open of one that has ended takes nothing from a later one.
select set_config('app.role', 'SYSTEM', true);
update person p set email_since = coalesce((
  select max(m.created_at) from mail m
  where m.template = 'addressChanged' and m.data->>'newAddress' = p.email), p.created_at);
update subscription s set owed_since = (
  select min(c.created_at) from charge c
  where (c.user_id = s.user_id or c.tenant_id = s.tenant_id) and not c.paid and c.status = 'open'
    and c.created_at >= s.start_date - interval '1 minute');
select set_config('app.role', '', true);
