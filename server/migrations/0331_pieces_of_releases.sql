-- floor: 0300
-- Built files of the panel, by their hashed names: a page that was opened before a deploy asks for what no host has any more.
create table web_piece (
  name    text primary key,
  -- Packed by brotli, or as it is.
  coding  text not null check (coding in ('br', 'identity')),
  content bytea not null,
  -- When a host last served the release that it belongs to.
  seen_at timestamptz not null default now()
);
-- Packed already.
alter table web_piece alter column content set storage external;
create index web_piece_seen on web_piece (seen_at);
alter table web_piece enable row level security;
alter table web_piece force row level security;
create policy web_piece_of_service on web_piece
  using ((select actor_role()) = 'SYSTEM') with check ((select actor_role()) = 'SYSTEM');
grant select, insert, update, delete on web_piece to clear_app;
