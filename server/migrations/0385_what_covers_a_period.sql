-- floor: 0300
-- A period that began with a change between monthly and yearly is covered by payments made before it: since when. Null where it was
-- paid at its own start. See docs/decisions/0820.
alter table subscription add column covered_since timestamptz;
