-- floor: 0250
-- Which picture of the video a network shows before somebody plays it: a moment of it; null where the network chooses.
alter table post add column cover_ms integer check (cover_ms >= 0);
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
  if actor_role() is distinct from 'SYSTEM' and old.user_id is distinct from actor_id()
    and (new.project_id, new.user_id, new.connection_id, new.network, new.asset_id, new.sha256, new.title, new.words,
        new.privacy, new.cover_ms, new.schedule_seq, date_trunc('milliseconds', new.due_at))
      is distinct from
      (old.project_id, old.user_id, old.connection_id, old.network, old.asset_id, old.sha256, old.title, old.words,
        old.privacy, old.cover_ms, old.schedule_seq, date_trunc('milliseconds', old.due_at))
  then
    raise exception 'what is posted where is its officer''s alone' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
