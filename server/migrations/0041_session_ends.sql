-- The day a session ends at the latest, however much it is used. One that was handed over ends with the session, or the ID
-- token, that it came from: handing it on and on makes it no longer.
alter table session_family add column must_end_at timestamptz not null default now() + interval '180 days';
alter table one_time_token add column session_ends_at timestamptz;
-- The owner stands under the policies, too.
select set_config('app.role', 'SYSTEM', true);
update session_family set must_end_at = created_at + interval '180 days';
select set_config('app.role', '', true);
