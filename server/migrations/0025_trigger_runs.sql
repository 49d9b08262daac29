-- Triggers run: when each comes due, and what became of every due time.

-- Where the counting of the recurrence begins.
alter table notification_trigger add column first_day date;
create index notification_trigger_due on notification_trigger (next_execution) where next_execution is not null;

-- One row a trigger and due time, however many schedulers look: the row is the right to send.
create table trigger_run (
  id         uuid primary key default uuidv7(),
  trigger_id uuid not null references notification_trigger on delete cascade,
  due_at     timestamptz not null,
  fired_at   timestamptz not null,
  time_zone  text not null,
  -- What is said to whom, as it stood when it fired: everybody is told the same.
  content    jsonb not null,
  -- Null while people are being told.
  status     text check (status in ('success', 'failed', 'info', 'warn')),
  total      integer not null default 0,
  success    integer not null default 0,
  error      integer not null default 0,
  error_list text[] not null default '{}',
  -- Everybody up to this person has been seen to.
  done_to    uuid,
  -- Times that a whole batch failed, and when the next try may be.
  failures   integer not null default 0,
  try_at     timestamptz not null,
  began_at   timestamptz not null default clock_timestamp(),
  ended_at   timestamptz,
  unique (trigger_id, due_at),
  check ((status is null) = (ended_at is null))
);
create index trigger_run_open on trigger_run (try_at) where ended_at is null;

alter table trigger_run enable row level security; alter table trigger_run force row level security;
-- Whoever sees the trigger reads its history; only the service writes it.
create policy trigger_run_read on trigger_run for select
  using (exists (select from notification_trigger t where t.id = trigger_id));
create policy trigger_run_system on trigger_run using (actor_role() = 'SYSTEM');
grant select, insert, update on trigger_run to clear_app;
