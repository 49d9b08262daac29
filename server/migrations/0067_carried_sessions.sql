-- The session that another one was carried from: whoever signs out of a device signs out what was carried from it, too.
alter table session_family add column carried_from uuid references session_family on delete cascade;
create index session_family_carried_from on session_family (carried_from) where carried_from is not null;
-- A token on its way to another device, and the session that gave it out.
alter table one_time_token add column carried_from uuid references session_family on delete cascade;
create index one_time_token_carried_from on one_time_token (carried_from) where carried_from is not null;
