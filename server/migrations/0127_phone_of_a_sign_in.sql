-- The sign-in that a phone was named in: it rings until that sign-in ends, as a browser does. Phones from before have none,
-- and ring until every session of their person is ended, as they did.
alter table person add column fcm_family_id uuid references session_family on delete set null;
create index person_fcm_family on person (fcm_family_id) where fcm_family_id is not null;
