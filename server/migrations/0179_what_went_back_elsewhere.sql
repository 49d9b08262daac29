-- What the payment service says went back of a payment, whoever gave it: at the service itself, too. See docs/decisions/0515.
alter table charge add column refunded integer not null default 0 check (refunded >= 0);
update charge set refunded = price where status = 'refunded' and price > 0;

-- What was done by us is in what the service says once it was read; what waits is not.
create function given_back(charge text) returns bigint language sql stable as $$
  select greatest(c.refunded, coalesce(sum(r.amount) filter (where r.kind = 'card' and r.state = 'done'), 0))
    + coalesce(sum(r.amount) filter (where (r.kind = 'card' and r.state = 'waiting') or (r.kind = 'credit' and r.state <> 'refused')), 0)
  from charge c left join refund r on r.charge_id = c.id where c.id = $1 group by c.id
$$;

create or replace function keep_refunds_within_payment() returns trigger language plpgsql as $$
declare
  paid_for integer;
begin
  select c.price into paid_for from charge c where c.id = new.charge_id and c.paid for no key update;
  if paid_for is null or paid_for < new.amount + given_back(new.charge_id) then
    raise exception 'more would be given back than was paid' using errcode = 'check_violation';
  end if;
  return new;
end $$;
