-- floor: 0300
-- When a round of the payment provider's was done last, beside when one was begun: what failed since is asked for again, however long
-- nobody answered.
alter table payment_round add column done_at timestamptz not null default '-infinity';
