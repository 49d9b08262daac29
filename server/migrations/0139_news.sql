-- What concerns open pages, in place of NOTIFY: PostgreSQL lets commits that notify through one by one, over all of the
-- cluster. Each server reads what was committed since it looked last (http/live.ts); a row is of use for seconds, so it is
-- neither logged nor kept. See docs/decisions/0462.
create unlogged table news (
  id   bigint generated always as identity primary key,
  -- Whose commit shows it: what a later snapshot sees and an earlier one did not is new.
  xid  xid8 not null default pg_current_xact_id(),
  at   timestamptz not null default now(),
  told json not null
);
create index news_xid on news (xid);
create index news_at on news (at);
alter table news enable row level security;
alter table news force row level security;
create policy news_told on news for insert with check (true);
create policy news_system on news using (actor_role() = 'SYSTEM');
grant select, insert, delete on news to clear_app;

create or replace function notify_project_live() returns trigger language plpgsql as $$
begin
  insert into news (told) values (json_build_object('type', 'project', 'projectId', new.project_id, 'status', new.to_status,
    'seq', new.seq, 'verb', new.verb, 'userId', new.user_id, 'tenantId', new.tenant_id));
  return null;
end $$;

create or replace function notify_account_live() returns trigger language plpgsql as $$
begin
  insert into news (told) values (json_build_object('type', 'account', 'userId', new.id));
  return null;
end $$;

create or replace function tell_asset_live() returns trigger language plpgsql as $$
begin
  insert into news (told) values (json_build_object('type', 'asset', 'assetId', new.id, 'projectId', new.project_id,
    'state', new.state, 'stage', new.stage, 'progress', new.progress, 'userId', new.author_id, 'tenantId', new.tenant_id));
  return null;
end $$;

create or replace function tell_edit_live() returns trigger language plpgsql as $$
begin
  insert into news (told) values (json_build_object('type', 'edit', 'projectId', new.project_id, 'state', new.state,
    'stage', new.stage, 'progress', new.progress, 'revision', new.revision, 'userId', '', 'tenantId', new.tenant_id));
  return null;
end $$;

create or replace function tell_render_live() returns trigger language plpgsql as $$
begin
  insert into news (told) values (json_build_object('type', 'render', 'renderId', new.id, 'projectId', new.project_id,
    'state', new.state, 'stage', new.stage, 'progress', new.progress, 'secondsLeft', new.seconds_left,
    'userId', '', 'tenantId', new.tenant_id));
  return null;
end $$;

create or replace function tell_notification_live() returns trigger language plpgsql as $$
begin
  insert into news (told) values (json_build_object('type', 'notification', 'id', new.id, 'userId', new.user_id));
  return null;
end $$;

create or replace function tell_notifications_changed() returns trigger language plpgsql as $$
begin
  insert into news (told) select json_build_object('type', 'notification', 'userId', user_id)
    from (select distinct user_id from changed) people;
  return null;
end $$;

-- How far work is, servers read by themselves, while somebody looks: it is written again and again, and soon untrue.
drop trigger asset_live on asset;
create trigger asset_live after update of state, stage on asset for each row
  when (old.state is distinct from new.state or old.stage is distinct from new.stage)
  execute function tell_asset_live();
drop trigger render_live on render;
create trigger render_live after insert or update of state, stage on render for each row execute function tell_render_live();
create index asset_deriving on asset (modified_at) where state = 'ready' and stage is not null;
