-- What the payment provider knows, kept beside us: customers, subscriptions, charges, coupons; its events; extra videos.

-- Numbers the readings of the provider's things in the order in which they began. A row takes a later one only.
create sequence payment_reading;

-- Whoever pays, by the provider's id: a person or a tenant.
create table customer (
  id        text primary key,
  user_id   uuid unique references person,
  tenant_id uuid unique references tenant,
  check ((user_id is null) <> (tenant_id is null))
);

alter table subscription
  -- The provider's; null for one that was set up by hand.
  add column provider_id       text unique,
  add column item_id           text,
  add column quantity          integer not null default 1 check (quantity > 0),
  -- Paused: what was paid counts until this moment.
  add column paused_from       timestamptz,
  -- Does not renew: ends at this moment.
  add column ends_at           timestamptz,
  add column days_until_due    integer,
  add column payment_method_id text,
  add column card_brand        text,
  add column card_last4        text,
  add column percent_off       numeric not null default 0,
  add column reading           bigint not null default 0;

-- What was charged, and invoices that were sent by e-mail.
create table charge (
  id           text primary key,
  user_id      uuid references person,
  tenant_id    uuid references tenant,
  created_at   timestamptz not null,
  paid         boolean not null,
  receipt_url  text not null,
  status       text not null,
  price        integer not null,
  currency     text not null,
  payment_type text not null,
  last4        text,
  brand        text,
  description  text not null default '',
  reading      bigint not null,
  check ((user_id is null) <> (tenant_id is null))
);
create index charge_user on charge (user_id, created_at desc, id) where user_id is not null;
create index charge_tenant on charge (tenant_id, created_at desc, id) where tenant_id is not null;

-- One video beyond the plan, bought by itself. It stays until a month needs it.
create table extra_project (
  id         uuid primary key default uuidv7(),
  user_id    uuid not null references person,
  -- The request that asked for it: a repeat finds it again.
  request_id text not null,
  price      integer not null check (price >= 0),
  currency   text not null,
  state      text not null default 'started' check (state in ('started', 'paid', 'failed')),
  reason     text,
  used_month text,
  reading    bigint not null default 0,
  created_at timestamptz not null default now(),
  unique (user_id, request_id),
  check (used_month is null or state = 'paid')
);
create index extra_project_spare on extra_project (user_id, created_at) where state = 'paid';
create index extra_project_started on extra_project (created_at) where state = 'started';

-- A code that takes something off, by its code.
create table coupon (
  id          text primary key,
  percent_off numeric not null check (percent_off > 0 and percent_off <= 100),
  is_valid    boolean not null default true
);

-- What the provider told us. Only what it is about is kept: the thing itself is read anew.
create table payment_event (
  id          text primary key,
  type        text not null,
  object_kind text not null,
  object_id   text not null,
  created_at  timestamptz not null,
  received_at timestamptz not null default now(),
  handled_at  timestamptz
);
create index payment_event_open on payment_event (received_at) where handled_at is null;

-- When a round through the provider's things was made last, whoever made it.
create table payment_round (
  name text primary key,
  at   timestamptz not null
);
insert into payment_round values ('missed', '-infinity'), ('reconcile', '-infinity');

-- The stand-in for a payment provider: its objects and its events, so that every process of the product sees one.
create table sandbox_object (
  id          text primary key,
  kind        text not null,
  customer_id text,
  -- When it must do something by itself.
  due_at      timestamptz,
  body        jsonb not null,
  created_at  timestamptz not null
);
create index sandbox_object_customer on sandbox_object (customer_id, kind);
create index sandbox_object_due on sandbox_object (due_at) where due_at is not null;
create table sandbox_event (
  seq          bigint generated always as identity primary key,
  id           text not null unique,
  type         text not null,
  object_id    text not null,
  created_at   timestamptz not null,
  delivered_at timestamptz
);
create index sandbox_event_waiting on sandbox_event (seq) where delivered_at is null;
-- The owner stands under the policies like everybody.
select set_config('app.role', 'SYSTEM', true);
insert into service_secret values
  ('sandbox', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
select set_config('app.role', '', true);

alter table product add column reading bigint not null default 0;
-- No longer sold; whoever has it keeps it.
alter table plan add column is_active boolean not null default true;

-- Revisions that the officer may still ask for; null: as many as they like.
alter table project add column revisions_left integer;

alter table customer enable row level security;       alter table customer force row level security;
alter table charge enable row level security;         alter table charge force row level security;
alter table extra_project enable row level security;  alter table extra_project force row level security;
alter table payment_event enable row level security;  alter table payment_event force row level security;
alter table payment_round enable row level security;  alter table payment_round force row level security;
alter table sandbox_object enable row level security; alter table sandbox_object force row level security;
alter table sandbox_event enable row level security;  alter table sandbox_event force row level security;
create policy customer_system on customer using (actor_role() = 'SYSTEM');
-- Oneself; of a tenant its ADMIN; and the ADMIN who serves the person or everybody.
create policy charge_seen on charge using (
  user_id = actor_id()
  or actor_role() = 'SYSTEM'
  or (actor_role() = 'ADMIN' and (actor_tenant() is null or tenant_id = actor_tenant() or exists (
    select from person p where p.id = user_id and p.tenant_id = actor_tenant())))
);
-- As with subscriptions: whoever may queue an officer's project must be able to count it.
create policy extra_project_seen on extra_project using (
  user_id = actor_id()
  or actor_role() = 'SYSTEM'
  or (actor_role() in ('QA', 'ADMIN') and (actor_tenant() is null or exists (
    select from person p where p.id = user_id and p.tenant_id = actor_tenant())))
);
create policy payment_event_system on payment_event using (actor_role() = 'SYSTEM');
create policy payment_round_system on payment_round using (actor_role() = 'SYSTEM');
create policy sandbox_object_system on sandbox_object using (actor_role() = 'SYSTEM');
create policy sandbox_event_system on sandbox_event using (actor_role() = 'SYSTEM');

grant usage on sequence payment_reading to clear_app;
grant select, insert, update, delete on customer, charge, extra_project, coupon, payment_event, payment_round, sandbox_object,
  sandbox_event to clear_app;
