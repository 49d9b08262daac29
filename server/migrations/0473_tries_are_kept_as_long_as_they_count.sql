-- floor: 0300
-- A count of tries is kept until the window that it counts in has ended: some count for a month. Every one went after a day. See
-- docs/decisions/1143.
alter table sign_in_try add column ends_at timestamptz not null default now() + interval '1 day';
drop index sign_in_try_since;
create index sign_in_try_ends on sign_in_try (ends_at);
