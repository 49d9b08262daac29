-- floor: 0250
-- Parts of uploads that senders put straight into the bucket (decision 680): each has an address of its own for a while. A
-- row is there before its address is given out, and goes after its object: no reference to the file, which may go before.
create table stored_part (
  id       uuid primary key,
  asset_id uuid not null,
  -- Who asked for it: nobody else's word counts that it was put.
  writer   uuid not null,
  at       bigint not null check (at >= 0),
  bytes    integer not null check (bytes > 0),
  -- As its sender declared it.
  sha256   text not null,
  key      text not null,
  -- It has an address; it is acknowledged, and waits for what comes before it; it is a piece of the upload.
  state    text not null default 'open' check (state in ('open', 'put', 'piece')),
  -- When its address ends.
  ends_at  timestamptz not null
);
create index stored_part_asset on stored_part (asset_id);
create index stored_part_ends on stored_part (ends_at);

-- Pieces that their sender put: what they declared is compared when the file is taken in.
alter table stored_piece add column is_direct boolean not null default false;

alter table stored_part enable row level security;
create policy stored_part_all on stored_part using (actor_role() = 'SYSTEM') with check (actor_role() = 'SYSTEM');
grant select, insert, update, delete on stored_part to clear_app;
