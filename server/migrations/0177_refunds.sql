-- What was given back of payments, by whom and why: only ever added to, but for what became of it. See docs/decisions/0515.
create table refund (
  id         uuid primary key default uuidv7(),
  charge_id  text not null references charge,
  -- The charge's payer.
  user_id    uuid references person,
  tenant_id  uuid references tenant,
  -- To the card, or to the payer's good for the next invoices.
  kind       text not null check (kind in ('card', 'credit')),
  amount     integer not null check (amount > 0),
  currency   text not null,
  reason     text not null,
  by_id      uuid not null references person,
  -- Waiting: the provider is being asked. What it refused counts for nothing.
  state      text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  check ((user_id is null) <> (tenant_id is null))
);
create index refund_charge on refund (charge_id);
create index refund_user on refund (user_id) where user_id is not null;
create index refund_tenant on refund (tenant_id) where tenant_id is not null;
create index refund_by on refund (by_id);
-- Payments of all payers, newest first.
create index charge_at on charge (created_at);

-- Nobody gives back more than was paid, whoever asks at the same moment.
create function keep_refunds_within_payment() returns trigger language plpgsql as $$
declare
  paid_for integer;
begin
  select c.price into paid_for from charge c where c.id = new.charge_id and c.paid for no key update;
  if paid_for is null or paid_for < new.amount
    + coalesce((select sum(r.amount) from refund r where r.charge_id = new.charge_id and r.state <> 'refused'), 0)
  then
    raise exception 'more would be given back than was paid' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_refunds_within_payment before insert on refund for each row execute function keep_refunds_within_payment();

alter table refund enable row level security; alter table refund force row level security;
-- The service's own ADMINs see them; the service writes them, when it was asked by one.
create policy refund_seen on refund for select
  using ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN' and (select actor_tenant()) is null));
create policy refund_made on refund for insert with check ((select actor_role()) = 'SYSTEM');
create policy refund_settled on refund for update using ((select actor_role()) = 'SYSTEM');
grant select, insert on refund to clear_app;
grant update (state, settled_at, reason) on refund to clear_app;
