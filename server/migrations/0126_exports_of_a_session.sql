-- A file with somebody's own data ends with what signed them in when they asked for it, and gives the files of that moment.
-- `security_stamp` is the person's then; `asked` the moments of the last day, for at most a few; `file_ids` what it lists.
-- The files made before may hold what their person reaches no more: they are asked for again. The owner stands under the
-- policies, too.
select set_config('app.role', 'SYSTEM', true);
delete from data_export;
select set_config('app.role', '', true);
alter table data_export add column security_stamp integer not null default 0;
alter table data_export add column asked timestamptz[] not null default '{}';
alter table data_export add column file_ids uuid[] not null default '{}';
