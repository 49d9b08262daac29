-- floor: 0300
-- What a change of plan credited while no payment of its payer's was known: the first one that is heard of takes it. See
-- docs/decisions/0881.
alter table subscription add column credited_ahead integer not null default 0 check (credited_ahead >= 0);
