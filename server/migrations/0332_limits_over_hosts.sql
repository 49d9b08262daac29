-- floor: 0300
-- How much networks and people have used of limits by the minute, as the hosts tell each other. After a crash it is empty, as each
-- host's own memory would be.
create unlogged table limit_count (
  name    text not null,
  -- A network, a wider net that holds it, or whoever is counted like one.
  net     text not null,
  -- Who counted; of what is counted here alone, nobody.
  host    uuid not null,
  count   integer not null,
  ends_at timestamptz not null,
  primary key (name, net, host)
);
create index limit_count_ends on limit_count (ends_at);
alter table limit_count enable row level security;
alter table limit_count force row level security;
create policy limit_count_of_service on limit_count
  using ((select actor_role()) = 'SYSTEM') with check ((select actor_role()) = 'SYSTEM');
grant select, insert, update, delete on limit_count to clear_app;
