-- floor: 0300
-- What TikTok demands that a person chooses for a post: whether it is posted or lies in the account's inbox, what others may do with
-- it, whether it is commercial, and that they agree to its terms; null of other networks' posts, and of those from before. See
-- docs/decisions/0734.
alter table post add column tiktok jsonb;
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
        new.privacy, new.cover_ms, new.captions, new.tiktok, new.fit, new.file_id, new.cover_file_id, new.schedule_seq, date_trunc('milliseconds', new.due_at))
      is distinct from
      (old.project_id, old.user_id, old.connection_id, old.network, old.asset_id, old.sha256, old.title, old.words,
        old.privacy, old.cover_ms, old.captions, old.tiktok, old.fit, old.file_id, old.cover_file_id, old.schedule_seq, date_trunc('milliseconds', old.due_at))
  then
    raise exception 'what is posted where is its officer''s alone' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
