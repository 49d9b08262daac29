-- floor: 0250
-- How often posts were seen and answered, as their networks say it, once a day for thirty days. See docs/decisions/0661.
create table post_figures (
  post_id uuid not null references post on delete cascade,
  -- Of UTC.
  day     date not null,
  at      timestamptz not null,
  -- All in all by then; null where the network does not say.
  views         bigint,
  likes         bigint,
  comments      bigint,
  shares        bigint,
  watch_seconds bigint,
  primary key (post_id, day)
);
-- When its figures are read next; null when they are not.
alter table post add column measure_at timestamptz;
create index post_measure on post (measure_at) where measure_at is not null;

alter table post_figures enable row level security; alter table post_figures force row level security;
create policy post_figures_seen on post_figures for select using (exists (select from post p where p.id = post_id));
create policy post_figures_read on post_figures for insert with check ((select actor_role()) = 'SYSTEM');
create policy post_figures_read_again on post_figures for update using ((select actor_role()) = 'SYSTEM');
create policy post_figures_dropped on post_figures for delete using ((select actor_role()) = 'SYSTEM');
grant select, insert, update, delete on post_figures to clear_app;
