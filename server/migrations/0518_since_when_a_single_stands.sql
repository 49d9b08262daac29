-- floor: 0300
-- A single video that is paid for one that was owed stands for that one since the former was bought: it is no video of the period in
-- which it was paid. Null: it stands for itself. See docs/decisions/1228.
alter table extra_project add column stands_since timestamptz;
