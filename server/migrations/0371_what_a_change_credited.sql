-- floor: 0300
-- What a change of plan put to its payer's good out of a payment: it is not given back once more. See docs/decisions/0782.
alter table charge add column credited integer not null default 0 check (credited >= 0);
-- The change that was noted last: sent twice, it is noted once.
alter table subscription add column credited_by text;

create or replace function keep_refunds_within_payment() returns trigger language plpgsql as $$
declare
  paid_for integer;
begin
  select c.price - c.credited into paid_for from charge c where c.id = new.charge_id and c.paid for no key update;
  if paid_for is null or paid_for < new.amount + given_back(new.charge_id) then
    raise exception 'more would be given back than was paid' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- The payment of a single video; of those before this it is found by what it was called.
alter table extra_project add column charge_id text;
select set_config('app.role', 'SYSTEM', true);
update extra_project x set charge_id = (
  select c.id from charge c
  where c.user_id = x.user_id and c.description = 'One more video' and c.price + c.credit = x.price
    and c.created_at between x.created_at - interval '1 minute' and x.created_at + interval '1 day'
  order by c.created_at, c.id limit 1)
where x.state = 'paid';
select set_config('app.role', '', true);
create index extra_project_charge on extra_project (charge_id);
