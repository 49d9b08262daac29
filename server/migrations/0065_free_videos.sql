-- Which mailboxes have had their free video, beyond the account that used it. An address cannot be read from what is
-- kept: it is a keyed hash (HMAC-SHA-256) of the mailbox as domain/src/mailbox.ts writes it.
create table free_video (
  project_id uuid primary key references project,
  mailbox    bytea not null,
  -- A canceled free video that an ADMIN took back after the mailbox had used its free video for another one.
  is_again   boolean not null default false
);
create unique index free_video_once on free_video (mailbox) where not is_again;
create index free_video_mailbox on free_video (mailbox);

alter table free_video enable row level security; alter table free_video force row level security;
create policy free_video_system on free_video using (actor_role() = 'SYSTEM');
grant select, insert, delete on free_video to clear_app;

select set_config('app.role', 'SYSTEM', true);
insert into service_secret values
  ('free-video', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- Those who used theirs before this was kept. PostgreSQL has no HMAC of its own: it is composed of two sha256.
create function padded_key(by integer) returns bytea language sql as $$
  select decode(string_agg(lpad(to_hex((case when i < length(value) then get_byte(value, i) else 0 end) # by), 2, '0'), ''
    order by i), 'hex')
  from service_secret, generate_series(0, 63) as i where name = 'free-video' $$;
insert into free_video (project_id, mailbox, is_again)
select id, mailbox, row_number() over (partition by mailbox order by submitted_at, id) > 1 from (
  select p.id, p.submitted_at, sha256(padded_key(92) || sha256(padded_key(54) || convert_to(
    case when a.host in ('gmail.com', 'googlemail.com') then replace(a.name, '.', '') || '@gmail.com'
      else a.name || '@' || a.host end, 'UTF8'))) as mailbox
  from project p
  join person o on o.id = p.user_id and o.removed_at is null
  cross join lateral (
    select regexp_replace(substring(trim(lower(o.email)) from '^(.*)@'), '(?<=.)\+.*$', '') as name,
      substring(trim(lower(o.email)) from '[^@]*$') as host) a
  where p.is_free and not (p.status = 6 and not p.editing_begun)) as used;
drop function padded_key(integer);
select set_config('app.role', '', true);
