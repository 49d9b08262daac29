-- floor: 0300
-- How many runs of a post in a row began and did not end, because their worker died. See docs/decisions/0780.
alter table post add column crashes integer not null default 0;
