-- floor: 0300
-- Files that are made of an approved one for networks that do not take it as it is: which file each was made of, and what came of
-- it. See docs/decisions/0730.
create table post_file (
  id            uuid primary key default uuidv7(),
  asset_id      uuid not null references asset on delete cascade,
  -- Of the approved file, read from its bytes before anything is made of them.
  parent_sha256 text not null,
  -- What is made: {"fit": bounds} or {"coverMs": moment}.
  recipe        jsonb not null,
  -- Of the bytes that were made; null until then.
  sha256        text,
  bytes         bigint,
  width         integer,
  height        integer,
  name          text,
  -- Why nothing can be made of it, in words for its officer.
  problem       text,
  -- Which run makes it; whether one runs, and how many died over it.
  attempt       integer not null default 0,
  is_running    boolean not null default false,
  crashes       integer not null default 0,
  asked_at      timestamptz not null default now(),
  made_at       timestamptz,
  unique (asset_id, parent_sha256, recipe),
  check ((sha256 is null) = (name is null) and (sha256 is null) = (bytes is null) and (sha256 is null) = (made_at is null))
);
alter table post_file enable row level security; alter table post_file force row level security;
create policy post_file_service on post_file using ((select actor_role()) = 'SYSTEM');
grant select, insert, update on post_file to clear_app;

alter table post
  -- The bounds within which another file is made and posted; null where the approved file itself is.
  add column fit jsonb,
  -- What is posted instead of the approved file, and the picture that stands before it.
  add column file_id uuid references post_file,
  add column cover_file_id uuid references post_file;
create index post_file_posted on post (file_id) where file_id is not null;
create index post_cover_posted on post (cover_file_id) where cover_file_id is not null;

create or replace function keep_posts_own() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if actor_role() is distinct from 'SYSTEM' and not (
      may_post_with(new.connection_id, new.user_id)
      and exists (select from project j where j.id = new.project_id and j.user_id = new.user_id))
    then
      raise exception 'a post is made of one''s own video, to an account that one posts with' using errcode = 'insufficient_privilege';
    end if;
    new.schedule_seq := coalesce(new.schedule_seq, schedule_of(new.project_id));
    return new;
  end if;
  -- Code of before knows no company's accounts: nothing is sent with one by whom it does not let.
  if new.state = 'armed' and old.state <> 'armed' and not may_post_with(new.connection_id, new.user_id) then
    raise exception 'this account is not posted with any more' using errcode = 'insufficient_privilege';
  end if;
  -- Nor other files than the approved one: what is sent instead of it was made of these very bytes.
  if new.state in ('prepared', 'armed') and new.state is distinct from old.state and (
    (new.fit is not null and not exists (
      select from post_file f where f.id = new.file_id and f.asset_id = new.asset_id and f.parent_sha256 = new.sha256
        and f.recipe = jsonb_build_object('fit', new.fit) and f.sha256 is not null))
    or (new.cover_file_id is not null and not exists (
      select from post_file f where f.id = new.cover_file_id and f.asset_id = new.asset_id and f.parent_sha256 = new.sha256
        and f.recipe = jsonb_build_object('coverMs', new.cover_ms) and f.sha256 is not null)))
  then
    raise exception 'what is posted instead of the approved file was made of that file' using errcode = 'insufficient_privilege';
  end if;
  if actor_role() is distinct from 'SYSTEM' and old.user_id is distinct from actor_id()
    and (new.project_id, new.user_id, new.connection_id, new.network, new.asset_id, new.sha256, new.title, new.words,
        new.privacy, new.cover_ms, new.fit, new.file_id, new.cover_file_id, new.schedule_seq, date_trunc('milliseconds', new.due_at))
      is distinct from
      (old.project_id, old.user_id, old.connection_id, old.network, old.asset_id, old.sha256, old.title, old.words,
        old.privacy, old.cover_ms, old.fit, old.file_id, old.cover_file_id, old.schedule_seq, date_trunc('milliseconds', old.due_at))
  then
    raise exception 'what is posted where is its officer''s alone' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
