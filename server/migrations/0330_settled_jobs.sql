-- floor: 0300
-- What somebody decided about a job that had used up its tries: it was sent again, or is let rest. The audit log tells who.
create table settled_job (
  -- As it lay among those that were given up.
  id         uuid primary key,
  -- The job that was asked for first: the same each time that it is sent again and given up again.
  first_id   uuid not null,
  kind       text not null,
  act        text not null check (act in ('send-again', 'let-rest')),
  settled_at timestamptz not null default now()
);
create index settled_job_first on settled_job (first_id);
alter table settled_job enable row level security;
alter table settled_job force row level security;
create policy settled_job_of_service on settled_job
  using ((select actor_role()) = 'SYSTEM') with check ((select actor_role()) = 'SYSTEM');
grant select, insert on settled_job to clear_app;
create trigger audit after insert or delete or update of kind, act on settled_job
  for each row execute function keep_audit('job', 'kind act', '', 'id', '');
