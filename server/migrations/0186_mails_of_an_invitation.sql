-- When each mail of an invitation went: mails of a day are counted by these, and not by their sum. See docs/decisions/0546.
-- Of those from before the first and the last are known: what lay between counts as sent with the last.
alter table invitation add column mailed_at timestamptz[] not null default '{}';
select set_config('app.role', 'SYSTEM', true);
update invitation set mailed_at =
  case when sent_times > 1 then array[created_at] else '{}' end || array_fill(sent_at, array[greatest(sent_times - 1, 1)]);
select set_config('app.role', '', true);
alter table invitation alter column mailed_at drop default;
alter table invitation add check (cardinality(mailed_at) > 0), drop column sent_times;
