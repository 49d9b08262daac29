-- Who hears what by which channel and when: choices, quiet hours, what waits for its moment.

-- The kind a person chooses by (domain/src/audiences.ts), and the project it is about, if any.
alter table notification add column kind text not null default 'news';
alter table notification add column about uuid;
-- The digest that it left by: the mail's key is this with "digest:" before it.
alter table notification add column digest uuid;
create index notification_about on notification (about) where about is not null;

-- A person's own choice for one kind; without a row the kind's default counts.
create table notification_choice (
  user_id     uuid not null references person on delete cascade,
  kind        text not null,
  email       text not null check (email in ('at-once', 'hourly', 'daily', 'never')),
  push        boolean not null,
  modified_at timestamptz not null default now(),
  primary key (user_id, kind)
);

-- Hours, in the person's own time zone, in which nothing is sent. Without a row there are none.
create table notification_quiet (
  user_id    uuid primary key references person on delete cascade,
  from_time  text not null check (from_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  until_time text not null check (until_time ~ '^([01]\d|2[0-3]):[0-5]\d$')
);

-- What was told in the panel and leaves by a channel later: a digest's rows, and what quiet hours hold back. A row is
-- deleted in the transaction that hands it over, so it is handed over once, whoever dies in between.
create table notification_waiting (
  notification_id uuid not null references notification on delete cascade,
  channel         text not null check (channel in ('email', 'push')),
  user_id         uuid not null references person on delete cascade,
  due_at          timestamptz not null,
  primary key (notification_id, channel)
);
create index notification_waiting_due on notification_waiting (due_at);
create index notification_waiting_user on notification_waiting (user_id);

-- What links that end e-mails of a kind are signed with; they work as long as the mails are kept.
select set_config('app.role', 'SYSTEM', true);
insert into service_secret values
  ('unsubscribe', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
select set_config('app.role', '', true);

-- A bell in another tab hears of what was opened, deleted or withdrawn, too: once a person and statement.
create function tell_notifications_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('type', 'notification', 'userId', user_id)::text)
    from (select distinct user_id from changed) people;
  return null;
end $$;
create trigger notification_changed_live after update on notification
  referencing new table as changed for each statement execute function tell_notifications_changed();

alter table notification_choice enable row level security;  alter table notification_choice force row level security;
alter table notification_quiet enable row level security;   alter table notification_quiet force row level security;
alter table notification_waiting enable row level security; alter table notification_waiting force row level security;
create policy notification_choice_own on notification_choice using (user_id = actor_id() or actor_role() = 'SYSTEM');
create policy notification_quiet_own on notification_quiet using (user_id = actor_id() or actor_role() = 'SYSTEM');
create policy notification_waiting_system on notification_waiting using (actor_role() = 'SYSTEM');
grant select, insert, update, delete on notification_choice, notification_quiet, notification_waiting to clear_app;
