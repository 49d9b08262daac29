-- floor: 0213
-- A post carries the mark of the schedule that it belongs to, so that it may have a moment of its own. See docs/decisions/0625.
-- The step that gave a project the moment it goes out at; an undone one gave none. Null where none did.
create function schedule_of(project uuid) returns integer language sql stable set search_path = public, pg_temp as $$
  select max(e.seq) from project_event e
  where e.project_id = $1
    -- An approval keeps the moment of before, or gives the first one.
    and (e.verb = 'schedule' or (e.verb = 'approve' and e.metadata ? 'publishAt' and e.before ->> 'publish_at' is null))
    and not exists (select from project_event u where u.project_id = e.project_id and u.undoes = e.seq)
$$;

-- The number of that step in its project's record.
alter table post add column schedule_seq integer;

select set_config('app.role', 'SYSTEM', true);
update post p
set schedule_seq = case
  -- 7: Scheduled. Until now a post was of the schedule whose moment it had.
  when j.status = 7 and p.due_at = j.publish_at then schedule_of(j.id)
  else (
    select max(e.seq) from project_event e where e.project_id = p.project_id and e.verb = 'schedule' and e.at <= p.created_at)
  end
from project j where j.id = p.project_id;
select set_config('app.role', '', true);

-- Older code that runs beside this one makes posts, too: the database itself says of which schedule they are.
create or replace function keep_posts_own() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if actor_role() is distinct from 'SYSTEM' and not (
      exists (select from connection c where c.id = new.connection_id and c.user_id = new.user_id)
      and exists (select from project j where j.id = new.project_id and j.user_id = new.user_id))
    then
      raise exception 'a post is made of one''s own video, to one''s own account' using errcode = 'insufficient_privilege';
    end if;
    new.schedule_seq := coalesce(new.schedule_seq, schedule_of(new.project_id));
    return new;
  end if;
  if actor_role() is distinct from 'SYSTEM' and old.user_id is distinct from actor_id()
    and (new.project_id, new.user_id, new.connection_id, new.network, new.asset_id, new.sha256, new.title, new.words,
        new.privacy, new.schedule_seq, date_trunc('milliseconds', new.due_at))
      is distinct from
      (old.project_id, old.user_id, old.connection_id, old.network, old.asset_id, old.sha256, old.title, old.words,
        old.privacy, old.schedule_seq, date_trunc('milliseconds', old.due_at))
  then
    raise exception 'what is posted where is its officer''s alone' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
