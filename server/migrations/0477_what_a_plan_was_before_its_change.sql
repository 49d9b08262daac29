-- floor: 0300
-- What a plan had, and its period held, before its latest change; null where nothing is known of it. While the invoice of that change
-- is open, it can go back to this, and to nothing else. See docs/decisions/1148.
alter table subscription add column before_change jsonb;
