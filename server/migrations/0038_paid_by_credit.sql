-- What credit paid of a charge, in the smallest unit; `price` is what was left to pay.
alter table charge add column credit integer not null default 0 check (credit >= 0);
