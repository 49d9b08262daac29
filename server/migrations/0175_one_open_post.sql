-- One video is on its way to one account once. Of several, the one that may be out already stays, else the newest; of the
-- others, what may be out is looked for by its officer.
select set_config('app.role', 'SYSTEM', true);
update post p
set state = case when p.state in ('scheduled', 'preparing', 'prepared') then 'withdrawn' else 'unconfirmed' end, next_at = null
from (
  select id, row_number() over (
    partition by project_id, connection_id order by (state in ('armed', 'sent', 'processing')) desc, id desc) as place
  from post
  where connection_id is not null and state in ('scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing')
) o
where o.id = p.id and o.place > 1;
select set_config('app.role', '', true);
create unique index post_open on post (project_id, connection_id)
  where state in ('scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing');

-- Whoever takes a schedule or an approval back moves posts of others; what is posted where stays its officer's.
-- A post is made of one's own video, to one's own account.
create function keep_posts_own() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if actor_role() is distinct from 'SYSTEM' and not (
      exists (select from connection c where c.id = new.connection_id and c.user_id = new.user_id)
      and exists (select from project j where j.id = new.project_id and j.user_id = new.user_id))
    then
      raise exception 'a post is made of one''s own video, to one''s own account' using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if actor_role() is distinct from 'SYSTEM' and old.user_id is distinct from actor_id()
    and (new.project_id, new.user_id, new.connection_id, new.network, new.asset_id, new.sha256, new.title, new.words,
        new.privacy, date_trunc('milliseconds', new.due_at))
      is distinct from
      (old.project_id, old.user_id, old.connection_id, old.network, old.asset_id, old.sha256, old.title, old.words,
        old.privacy, date_trunc('milliseconds', old.due_at))
  then
    raise exception 'what is posted where is its officer''s alone' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_posts_own before insert or update on post for each row execute function keep_posts_own();
