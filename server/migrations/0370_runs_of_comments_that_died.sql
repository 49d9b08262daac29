-- floor: 0300
-- How many runs of a first comment in a row began and did not end, as of posts. See docs/decisions/0781.
alter table post_comment add column crashes integer not null default 0;
