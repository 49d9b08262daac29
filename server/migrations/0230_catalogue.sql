-- floor: 0213
-- What is sold is edited in the panel, and coupons take an amount off, too, for some months, until a day or so often. See
-- docs/decisions/0615.
alter table coupon
  alter column percent_off drop not null,
  -- In the currency's smallest unit, of a whole invoice.
  add column amount_off integer check (amount_off > 0),
  add column currency   text,
  -- Null: for good. Of a yearly plan each begun year counts.
  add column months     integer check (months > 0),
  -- It can be used before this moment.
  add column redeem_by  timestamptz,
  add column most_uses  integer check (most_uses > 0),
  -- As the provider counts it.
  add column uses       integer not null default 0,
  add constraint coupon_takes_one check ((percent_off is null) <> (amount_off is null)),
  add constraint coupon_currency check ((amount_off is null) = (currency is null));

alter table subscription
  add column amount_off    integer not null default 0 check (amount_off >= 0),
  -- What is invoiced from this moment on has nothing taken off; null: for good, or nothing is.
  add column discount_ends timestamptz;

-- While a change of this product is under way at the provider, nobody else changes it. A mark that a crash left ends by itself.
alter table product
  add column changing_until timestamptz,
  add column changing_by    text;

drop trigger audit on coupon;
create trigger audit after insert or delete or update on coupon
  for each row execute function keep_audit('coupon',
  'percent_off amount_off currency months redeem_by most_uses is_valid', '', 'id', '');
drop trigger audit on subscription;
create trigger audit after insert or delete or update of
  user_id, tenant_id, plan_id, status, quantity, paused_from, ends_at, days_until_due, percent_off, amount_off, discount_ends on subscription
  for each row execute function keep_audit('subscription',
  'plan_id status quantity paused_from ends_at days_until_due percent_off amount_off discount_ends', 'user_id tenant_id', 'id', 'user_id');
