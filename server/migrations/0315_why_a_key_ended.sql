-- floor: 0296
-- A key for programs that ends together with its owner's sessions ends in the table, too, and says why, so that the audit log tells
-- of it. See docs/decisions/0710.
alter table api_key add column ended_by text check (ended_by in (
  'signed-out', 'stolen', 'password', 'second-factor', 'rights', 'shut-out', 'provider', 'removed', 'restored', 'sessions'));

-- The transaction says why (server/src/identity/store.ts); null: somebody revoked this key.
create function note_key_end() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.ended_by := nullif(current_setting('app.session_end', true), '');
  return new;
end $$;
create trigger why before update on api_key for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function note_key_end();

-- Code of before this one does not say why: `sessions`.
create function end_keys() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform set_config('app.session_end', coalesce(nullif(current_setting('app.session_end', true), ''), 'sessions'), true);
  update api_key set revoked_at = now()
  where person_id = new.id and security_stamp = old.security_stamp and revoked_at is null and ends_at > now();
  return null;
end $$;
create trigger end_keys after update of security_stamp on person for each row
  when (old.security_stamp is distinct from new.security_stamp) execute function end_keys();

drop trigger audit on api_key;
create trigger audit after insert or delete or update of name, scopes, ends_at, revoked_at, ended_by on api_key
  for each row execute function keep_audit('api-key', 'scopes ends_at revoked_at ended_by', 'name', 'id', 'person_id');
