-- floor: 0146
-- What the recorder noted while a take was filmed: where the officer began a sentence again, and which word of the script was
-- shown when. See docs/decisions/0490.
alter table asset add column take_log jsonb;
