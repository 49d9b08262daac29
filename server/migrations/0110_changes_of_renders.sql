-- What a render changed against the one before it, in words: said once, when it is added. Null where that was not said,
-- as for all renders that were there before this column: see docs/decisions/0395.
alter table render add column changes text[];
