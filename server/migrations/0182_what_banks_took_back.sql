-- floor: 0181
-- What a payer's bank took back of a payment, as the payment service says it: it counts beside what was given back.
-- See docs/decisions/0545.
alter table charge add column disputed integer not null default 0 check (disputed >= 0);

create or replace function given_back(charge text) returns bigint language sql stable as $$
  select greatest(c.refunded, coalesce(sum(r.amount) filter (where r.kind = 'card' and r.state = 'done'), 0)) + c.disputed
    + coalesce(sum(r.amount) filter (where (r.kind = 'card' and r.state = 'waiting') or (r.kind = 'credit' and r.state <> 'refused')), 0)
  from charge c left join refund r on r.charge_id = c.id where c.id = $1 group by c.id
$$;
