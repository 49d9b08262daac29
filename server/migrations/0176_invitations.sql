-- People who are invited by e-mail, with the role and the company that wait for them. See docs/decisions/0514.
create table invitation (
  id           uuid primary key default uuidv7(),
  email        text not null check (email = lower(email)),
  role         text not null check (role in ('User', 'Editor', 'QA', 'ADMIN')),
  -- Null: for the whole service.
  tenant_id    uuid references tenant,
  -- Who vouches for it: whoever sent it last. It is good for as long as they could send it today.
  invited_by   uuid not null references person,
  -- Of the last mail alone; null once nobody can follow it any more.
  token_hash   bytea unique,
  -- The link is made from this and a secret of the service when the mail goes out; the queue holds no link.
  mail_id      uuid not null,
  sent_at      timestamptz not null,
  sent_times   integer not null default 1,
  ends_at      timestamptz not null,
  accepted_at  timestamptz,
  accepted_by  uuid references person,
  withdrawn_at timestamptz,
  created_at   timestamptz not null default now(),
  check ((accepted_at is null) = (accepted_by is null)),
  check (token_hash is null or (accepted_at is null and withdrawn_at is null))
);
-- An address waits once for each company.
create unique index invitation_open on invitation (email, tenant_id) nulls not distinct
  where accepted_at is null and withdrawn_at is null;
create index invitation_of_tenant on invitation (tenant_id, created_at, id);
create index invitation_of_address on invitation (email, created_at);
create index invitation_by on invitation (invited_by);
create index invitation_accepted on invitation (accepted_by) where accepted_by is not null;
create index invitation_ends on invitation (ends_at);

alter table invitation enable row level security; alter table invitation force row level security;
create policy invitation_seen on invitation for select
  using ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN'
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
create policy invitation_made on invitation for insert
  with check ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN'
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
create policy invitation_set on invitation for update
  using ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN'
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
create policy invitation_dropped on invitation for delete using ((select actor_role()) = 'SYSTEM');
grant select, insert, update, delete on invitation to clear_app;
