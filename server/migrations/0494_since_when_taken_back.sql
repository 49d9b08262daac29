-- floor: 0300
-- When we heard that a payment's bank took it back wholly, which its payer was told in the same moment; and whether that is what a
-- plan owes. See docs/decisions/1185.
alter table charge add column taken_back_at timestamptz;
alter table subscription add column is_taken_back boolean not null default false;

select set_config('app.role', 'SYSTEM', true);
-- When it was, nobody noted: the two weeks begin with this.
update charge set taken_back_at = now() where paid and disputed > 0 and refunded < price and disputed + refunded >= price;
select set_config('app.role', '', true);
