-- floor: 0300
-- After a theft those keys end which may have been made with the stolen session, and the others go on. `made_in` is the session that
-- was shown when the key was made; null: made by an ID token alone, or by code of before. See docs/decisions/1243.
alter table api_key add column made_in uuid;

-- With its owner's rights: the product itself never changes under which stamp a key counts.
create or replace function end_keys() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stolen uuid := nullif(current_setting('app.stolen_session', true), '')::uuid;
begin
  perform set_config('app.session_end', coalesce(nullif(current_setting('app.session_end', true), ''), 'sessions'), true);
  -- Code of before this one names no session: every key ends.
  if current_setting('app.session_end', true) = 'stolen' and stolen is not null then
    update api_key k set security_stamp = new.security_stamp
    from session_family f
    where f.id = stolen and f.person_id = new.id and k.person_id = new.id and k.security_stamp = old.security_stamp
      and (k.made_in <> f.id or (k.made_in is null and k.created_at < f.created_at));
  end if;
  update api_key set revoked_at = now()
  where person_id = new.id and security_stamp = old.security_stamp and revoked_at is null and ends_at > now();
  return null;
end $$;
