-- What a person may do is asked when their call begins, and must still be so when it writes. Their calls that write hold a
-- lock together; whoever changes their role, company or sign-in takes it alone (accounts/store.ts awaitCallsOf). So the
-- change waits for calls under way, and calls that come behind it are asked anew.
create or replace function enter(id uuid, role text, tenant uuid, stamp integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('app.actor_id', id::text, true), set_config('app.role', role, true),
          set_config('app.tenant_id', coalesce(tenant::text, ''), true);
  if stamp is null then
    return;
  end if;
  if current_setting('transaction_read_only') = 'off' then
    perform pg_advisory_xact_lock_shared(hashtextextended('calls of ' || id, 0));
  end if;
  if not exists (select from person p where p.id = enter.id and p.security_stamp = stamp and not p.is_disabled) then
    raise exception 'session ended' using errcode = 'CT401';
  end if;
end $$;

-- Words that were kept for an officer who has changed company since. The owner stands under the policies, too.
select set_config('app.role', 'SYSTEM', true);
update glossary g set tenant_id = p.tenant_id from person p where p.id = g.owner_id and g.tenant_id is distinct from p.tenant_id;
select set_config('app.role', '', true);
