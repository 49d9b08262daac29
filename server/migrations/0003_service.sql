-- What the service keeps beside the work: answered requests, notifications, products, scripts.

-- Answers of requests with a request id, so that a repeat does no work twice. Kept 24 hours.
create table answered_request (
  actor_id   uuid not null,
  request_id text not null,
  digest     bytea not null,
  status     smallint,
  -- json, not jsonb: the repeated answer is the first one to the letter.
  answer     json,
  at         timestamptz not null default now(),
  primary key (actor_id, request_id)
);
create index answered_request_at on answered_request (at);

create table notification (
  id           uuid primary key default uuidv7(),
  user_id      uuid not null references person on delete cascade,
  trigger_id   uuid,
  title        text not null,
  body         text not null,
  status       text not null default 'delivered' check (status in ('failed', 'delivered', 'deleted')),
  delivered_at timestamptz not null default now(),
  opened_at    timestamptz,
  deleted_at   timestamptz,
  cta          jsonb,
  metadata     jsonb not null default '{}',
  error        text,
  -- Where it came from: told once, however often the job runs.
  cause        text not null,
  unique (user_id, cause)
);
create index notification_user on notification (user_id, delivered_at, id);

create function tell_notification_live() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('type', 'notification', 'id', new.id, 'userId', new.user_id)::text);
  return null;
end $$;
create trigger notification_live after insert on notification for each row execute function tell_notification_live();

create table product (
  id           text primary key,
  name         text not null,
  descriptions jsonb not null,
  metadata     jsonb not null,
  percent_off  numeric not null default 0,
  is_active    boolean not null default true
);
create table plan (
  id         text primary key,
  product_id text not null references product,
  currency   text not null,
  price      integer not null check (price >= 0),
  interval   text not null check (interval in ('month', 'year')),
  metadata   jsonb not null
);
-- A person's or a tenant's subscription: exactly one of the two.
create table subscription (
  id         uuid primary key default uuidv7(),
  user_id    uuid references person,
  tenant_id  uuid references tenant,
  plan_id    text not null references plan,
  status     text not null,
  start_date timestamptz not null default now(),
  current_period_start timestamptz,
  current_period_end   timestamptz,
  check ((user_id is null) <> (tenant_id is null))
);
create index subscription_user on subscription (user_id) where user_id is not null;
create index subscription_tenant on subscription (tenant_id) where tenant_id is not null;

create table prompt (
  id        uuid primary key default uuidv7(),
  tenant_id uuid unique nulls not distinct references tenant
);
create table prompt_category (
  id               uuid primary key default uuidv7(),
  prompt_id        uuid not null references prompt on delete cascade,
  title            text not null,
  picture_url      text not null,
  background_color text not null,
  active           boolean not null default true,
  position         integer not null
);
create index prompt_category_prompt on prompt_category (prompt_id, position);
-- A script of the library belongs to a category; a person's own to its user.
create table script (
  id          uuid primary key default uuidv7(),
  category_id uuid references prompt_category on delete cascade,
  user_id     uuid references person on delete cascade,
  title       text not null,
  content     text not null,
  tags        text[] not null default '{}',
  position    integer not null default 0,
  created_at  timestamptz not null default now(),
  check (category_id is null or user_id is null)
);
create index script_category on script (category_id, position) where category_id is not null;
create index script_user on script (user_id, created_at) where user_id is not null;

alter table answered_request enable row level security; alter table answered_request force row level security;
alter table notification enable row level security;     alter table notification force row level security;
alter table subscription enable row level security;     alter table subscription force row level security;
alter table script enable row level security;           alter table script force row level security;
alter table prompt enable row level security;           alter table prompt force row level security;
create policy answered_request_own on answered_request using (actor_id = actor_id() or actor_role() = 'SYSTEM');
create policy notification_own on notification using (user_id = actor_id() or actor_role() = 'SYSTEM');
create policy subscription_seen on subscription
  using (user_id = actor_id() or tenant_id = actor_tenant() or actor_role() = 'SYSTEM' or (actor_role() = 'ADMIN' and actor_tenant() is null));
create policy script_seen on script
  using (user_id is null or user_id = actor_id() or actor_role() in ('SYSTEM', 'Editor', 'QA', 'ADMIN'));
create policy prompt_seen on prompt using (tenant_id is null or tenant_id = actor_tenant() or staff_reach(tenant_id));

grant select, insert, update, delete on answered_request, notification, product, plan, subscription, prompt, prompt_category, script to clear_app;
