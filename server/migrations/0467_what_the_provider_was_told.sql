-- floor: 0300
-- What the payment provider was told last of who a customer is, as a number of name and address: where the payer's of now are
-- others, it is told anew. Null: not told since it was made. Not before `try_after`. See docs/decisions/1123.
alter table customer add column told bigint, add column try_after timestamptz not null default '-infinity';
