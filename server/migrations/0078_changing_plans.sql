-- While a change of this plan is under way, nobody submits on it: what was used so far is being settled. A mark that a crash
-- leaves behind ends by itself at this moment.
alter table subscription add column changing_until timestamptz;
