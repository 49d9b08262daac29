-- floor: 0300
-- A video that was used may have been paid back: it stays used, and is not there again when its project is canceled. See
-- docs/decisions/0770.
alter table extra_project
  drop constraint extra_project_check,
  add constraint used_was_paid check (used_month is null or state <> 'started');
