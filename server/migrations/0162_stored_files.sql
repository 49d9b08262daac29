-- floor: 0151
-- What of people's files lies in a bucket, where several machines share one (decision 500). On one machine's disk these
-- tables stay empty. No reference to the asset: a row is there before the first byte is, and goes after the last one.
create table stored_file (
  asset_id       uuid primary key,
  -- Who may add to the upload: each connection that goes on with it takes it over, on whichever host it lands.
  writer         uuid,
  -- How much of an upload waits in quarantine; null where there is none.
  received_bytes bigint check (received_bytes >= 0),
  touched_at     timestamptz not null default now()
);

-- An upload's bytes in the order of `at`, without a hole: each piece an object that is written once.
create table stored_piece (
  asset_id uuid not null references stored_file on delete cascade,
  at       bigint not null,
  bytes    integer not null check (bytes > 0),
  key      text not null,
  sha256   text not null,
  primary key (asset_id, at)
);

alter table stored_file enable row level security;
alter table stored_piece enable row level security;
create policy stored_file_all on stored_file using (actor_role() = 'SYSTEM') with check (actor_role() = 'SYSTEM');
create policy stored_piece_all on stored_piece using (actor_role() = 'SYSTEM') with check (actor_role() = 'SYSTEM');
grant select, insert, update, delete on stored_file to clear_app;
grant select, insert, delete on stored_piece to clear_app;
