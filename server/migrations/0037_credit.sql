-- What stands to the payer's good at the payment service, in the smallest unit; used before anything is charged.
alter table subscription add column credit integer not null default 0 check (credit >= 0);
