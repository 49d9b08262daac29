-- floor: 0300
-- The first comment below a post: a step of its own once the post is there. See docs/decisions/0731.
create table post_comment (
  post_id       uuid primary key references post on delete cascade,
  words         text not null,
  state         text not null default 'waiting' check (state in ('waiting', 'armed', 'live', 'failed', 'unconfirmed')),
  failure       text check (failure in ('retry', 'reauth', 'permanent', 'limit', 'policy')),
  failure_words text,
  -- What the network gave out on the way; each is here before the next request.
  handles       jsonb not null default '{}',
  tried         integer not null default 0,
  -- When somebody looks at it again; null when nothing more happens by itself, and until its post is there.
  next_at       timestamptz,
  run           integer not null default 0,
  leased_until  timestamptz,
  -- When it may have been sent for the first time since it waits.
  armed_at      timestamptz,
  remote_id     text,
  live_at       timestamptz,
  created_at    timestamptz not null default now(),
  modified_at   timestamptz not null default now()
);
create index post_comment_next on post_comment (next_at) where next_at is not null;

alter table post_comment enable row level security; alter table post_comment force row level security;
-- Whoever sees the post sees its comment; it is its officer's to write and to send again.
create policy post_comment_seen on post_comment for select using (exists (select from post p where p.id = post_id));
create policy post_comment_made on post_comment for insert
  with check ((select actor_role()) = 'SYSTEM' or exists (select from post p where p.id = post_id and p.user_id = (select actor_id())));
create policy post_comment_moved on post_comment for update
  using ((select actor_role()) = 'SYSTEM' or exists (select from post p where p.id = post_id and p.user_id = (select actor_id())));
create policy post_comment_dropped on post_comment for delete using ((select actor_role()) = 'SYSTEM');
grant select, insert, update, delete on post_comment to clear_app;
