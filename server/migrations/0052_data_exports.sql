-- A person's own data as a file. The row is the right to fetch it; what was found lies beside the files.
create table data_export (
  id        uuid primary key default uuidv7(),
  person_id uuid not null references person on delete cascade,
  state     text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  asked_at  timestamptz not null default now(),
  ready_at  timestamptz,
  ends_at   timestamptz,
  -- How large the whole file is, as far as its parts are still there.
  bytes     bigint,
  -- Which run of the job may write.
  attempt   integer not null default 0,
  check ((state = 'ready') = (ready_at is not null and ends_at is not null and bytes is not null))
);
-- One at a time.
create unique index data_export_person on data_export (person_id);
create index data_export_ends on data_export (ends_at) where ends_at is not null;

alter table data_export enable row level security; alter table data_export force row level security;
create policy data_export_own on data_export using (person_id = actor_id() or actor_role() = 'SYSTEM');
grant select, insert, update, delete on data_export to clear_app;
