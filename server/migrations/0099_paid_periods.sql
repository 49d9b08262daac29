-- What the periods that were paid hold together: quota follows the calendar and payments follow their periods, so whoever
-- pauses every other period would otherwise have two months' videos for each payment.
create table subscription_period (
  subscription_id uuid not null references subscription on delete cascade,
  starts          timestamptz not null,
  ends            timestamptz not null,
  -- How many it holds, over all seats; of one that a change of plan ended early, what was used of it.
  videos          integer not null check (videos >= 0),
  -- By our clock; videos that entered the queue since then are counted against it.
  recorded_at     timestamptz not null default now(),
  primary key (subscription_id, starts)
);
alter table subscription_period enable row level security;
alter table subscription_period force row level security;
create policy subscription_period_kept on subscription_period using ((select actor_role()) = 'SYSTEM');
grant select, insert, update, delete on subscription_period to clear_app;

insert into subscription_period (subscription_id, starts, ends, videos)
select s.id, s.current_period_start, s.current_period_end,
  (l.metadata->>'projectsPerMonth')::integer * case l.interval when 'year' then 12 else 1 end * s.quantity
from subscription s join plan l on l.id = s.plan_id
where s.provider_id is not null and s.status in ('active', 'trialing')
  and s.current_period_start is not null and s.current_period_end is not null
  and (s.paused_from is null or s.paused_from > s.current_period_start);
