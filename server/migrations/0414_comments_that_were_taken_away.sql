-- floor: 0300
-- How often the first comments that a post had before were run: the next one goes on counting. See docs/decisions/0904.
alter table post add column comment_runs integer not null default 0;
