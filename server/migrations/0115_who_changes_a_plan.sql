-- Whose change of this plan is under way: the same request may be sent again, another one waits until it has ended.
alter table subscription add column changing_by text;
