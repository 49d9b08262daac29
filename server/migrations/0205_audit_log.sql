-- floor: 0191
-- Who changed what of people, companies, plans, triggers, criteria and settings: a row a change, written by the database in the
-- transaction of the change, so that no code can forget it. See docs/decisions/0565.
create table audit_entry (
  id          uuid primary key default uuidv7(),
  at          timestamptz not null,
  -- In whose chain it stands; null: the service's.
  tenant_id   uuid,
  -- Null: the service itself, or somebody who was not signed in.
  actor_id    uuid,
  actor_role  text not null,
  kind        text not null,
  act         text not null check (act in ('added', 'changed', 'removed')),
  subject_id  text not null,
  -- Whose data the values are.
  person_id   uuid,
  values_hash bytea not null
);
create index audit_entry_at on audit_entry (at, id);
create index audit_entry_tenant on audit_entry (tenant_id, at, id);
create index audit_entry_person on audit_entry (person_id) where person_id is not null;
create index audit_entry_subject on audit_entry (subject_id, at);
create index audit_entry_actor on audit_entry (actor_id, at) where actor_id is not null;

-- From what to what. It goes when its person is removed; its hash, which nobody guesses because of the salt, stays in the chain.
create table audit_value (
  entry_id  uuid primary key references audit_entry,
  tenant_id uuid,
  person_id uuid,
  salt      bytea not null,
  -- By column, [from, to]; true where only that it changed is kept.
  changes   jsonb not null
);
create index audit_value_person on audit_value (person_id) where person_id is not null;

-- The chain of each company and of the service. It is lengthened after the commit, so that no change waits for another one.
create table audit_seal (
  id        bigint generated always as identity primary key,
  tenant_id uuid,
  seq       bigint not null,
  entry_id  uuid not null unique references audit_entry,
  sealed_at timestamptz not null default now(),
  hash      bytea not null,
  unique nulls not distinct (tenant_id, seq)
);
create index audit_seal_tenant on audit_seal (tenant_id, id);
-- What no chain holds yet.
create table audit_waiting (
  entry_id uuid primary key references audit_entry
);

-- Services' parts of a person's transaction run as the service: who it was that called is kept beside it.
create or replace function enter(id uuid, role text, tenant uuid, stamp integer) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('app.actor_id', id::text, true), set_config('app.role', role, true),
          set_config('app.tenant_id', coalesce(tenant::text, ''), true);
  if role <> 'SYSTEM' then
    perform set_config('app.caller_id', id::text, true), set_config('app.caller_role', role, true);
  end if;
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

-- From what to what, of one column; of an object key by key.
create function audit_difference(name text, was jsonb, becomes jsonb) returns jsonb language sql immutable as $$
  select case
    when was is not distinct from becomes then '{}'
    when jsonb_typeof(coalesce(was, '{}')) = 'object' and jsonb_typeof(coalesce(becomes, '{}')) = 'object' then coalesce((
      select jsonb_object_agg(name || '.' || k, jsonb_build_array(was -> k, becomes -> k))
      from (select jsonb_object_keys(coalesce(was, '{}')) union select jsonb_object_keys(coalesce(becomes, '{}'))) keys (k)
      where was -> k is distinct from becomes -> k), '{}')
    else jsonb_build_object(name, jsonb_build_array(was, becomes)) end
$$;

-- Arguments: the kind; columns whose values are kept; columns of which only a change is; the column that says which one it is;
-- the column that says whose data it is.
create function keep_audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  was jsonb := case when tg_op = 'INSERT' then '{}' else jsonb_strip_nulls(to_jsonb(old)) end;
  becomes jsonb := case when tg_op = 'DELETE' then '{}' else jsonb_strip_nulls(to_jsonb(new)) end;
  whole jsonb := case when tg_op = 'DELETE' then was else becomes end;
  doing text := case tg_op when 'INSERT' then 'added' when 'DELETE' then 'removed' else 'changed' end;
  changes jsonb := '{}';
  of_person uuid;
  company uuid;
  is_gone boolean := false;
  name text;
begin
  foreach name in array string_to_array(tg_argv[1], ' ') loop
    changes := changes || audit_difference(name, was -> name, becomes -> name);
  end loop;
  foreach name in array string_to_array(tg_argv[2], ' ') loop
    if was -> name is distinct from becomes -> name then
      changes := changes || jsonb_build_object(name, true);
    end if;
  end loop;
  if tg_op = 'UPDATE' and changes = '{}' then
    return null;
  end if;
  of_person := (whole ->> nullif(tg_argv[4], ''))::uuid;
  if tg_table_name = 'person' then
    is_gone := tg_op = 'DELETE' or becomes ? 'removed_at';
    if is_gone and tg_op = 'UPDATE' and not was ? 'removed_at' then
      doing := 'removed';
    end if;
  elsif of_person is not null then
    is_gone := not exists (select from person p where p.id = of_person and p.removed_at is null);
  end if;
  if is_gone then
    perform forget_audited(of_person);
    changes := '{}';
  end if;
  company := case
    when tg_table_name = 'tenant' then (whole ->> 'id')::uuid
    when whole ? 'tenant_id' then (whole ->> 'tenant_id')::uuid
    when jsonb_array_length(whole -> 'tenant_ids') = 1 then (whole -> 'tenant_ids' ->> 0)::uuid
    when tg_table_name <> 'person' and of_person is not null then (select p.tenant_id from person p where p.id = of_person) end;
  -- Each company sees that somebody left it or came, and neither the other one.
  if tg_table_name = 'person' and tg_op = 'UPDATE' and was ? 'tenant_id' and was -> 'tenant_id' is distinct from becomes -> 'tenant_id' then
    perform add_audit((was ->> 'tenant_id')::uuid, tg_argv[0], doing, whole ->> tg_argv[3], of_person,
      case when is_gone then '{}' else jsonb_build_object('tenant_id', jsonb_build_array(was -> 'tenant_id', null)) end);
    if not is_gone then
      changes := changes - 'tenant_id' || case
        when becomes ? 'tenant_id' then jsonb_build_object('tenant_id', jsonb_build_array(null, becomes -> 'tenant_id')) else '{}' end;
      if changes = '{}' then
        return null;
      end if;
    end if;
  end if;
  perform add_audit(company, tg_argv[0], doing, whole ->> tg_argv[3], of_person, changes);
  return null;
end $$;

create function add_audit(company uuid, kind text, act text, subject text, of_person uuid, changes jsonb) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  salt bytea := uuid_send(gen_random_uuid());
  entry uuid := uuidv7();
begin
  insert into audit_entry (id, at, tenant_id, actor_id, actor_role, kind, act, subject_id, person_id, values_hash)
  values (entry, clock_timestamp(), company, nullif(current_setting('app.caller_id', true), '')::uuid,
    coalesce(nullif(current_setting('app.caller_role', true), ''), 'SYSTEM'), kind, act, subject, of_person,
    sha256(salt || convert_to(changes::text, 'UTF8')));
  insert into audit_value (entry_id, tenant_id, person_id, salt, changes) values (entry, company, of_person, salt, changes);
  insert into audit_waiting (entry_id) values (entry);
end $$;
revoke execute on function add_audit from public;

-- Of somebody who was removed: what an entry said of them goes, that there was one stays.
create function forget_audited(of_person uuid) returns void language sql security definer set search_path = public, pg_temp as $$
  delete from audit_value v where v.person_id = of_person
    and not exists (select from person p where p.id = of_person and p.removed_at is null)
$$;

-- What a link of a chain is the hash of, after the hash before it.
create function audit_text(e audit_entry) returns text language sql stable set timezone = 'UTC' as $$
  select jsonb_build_array(e.id, e.at, e.tenant_id, e.actor_id, e.actor_role, e.kind, e.act, e.subject_id, e.person_id,
    encode(e.values_hash, 'hex'))::text
$$;

-- Puts what waits into its chains, oldest first, and answers how many; one process at a time.
create function seal_audit(most integer) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  e audit_entry;
  last audit_seal;
  done integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('audit seals', 0)) then
    return 0;
  end if;
  for e in select a.* from audit_waiting w join audit_entry a on a.id = w.entry_id order by a.at, a.id limit most loop
    if e.tenant_id is null then
      select s.* into last from audit_seal s where s.tenant_id is null order by s.seq desc limit 1;
    else
      select s.* into last from audit_seal s where s.tenant_id = e.tenant_id order by s.seq desc limit 1;
    end if;
    insert into audit_seal (tenant_id, seq, entry_id, hash)
    values (e.tenant_id, coalesce(last.seq, 0) + 1, e.id,
      sha256(coalesce(last.hash, ''::bytea) || convert_to(audit_text(e), 'UTF8')));
    delete from audit_waiting w where w.entry_id = e.id;
    done := done + 1;
  end loop;
  return done;
end $$;

-- Nobody changes what stands there, the owner included.
create function refuse_audit_change() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'audit_value' and tg_op = 'DELETE' then
    if old.person_id is not null and not exists (select from person p where p.id = old.person_id and p.removed_at is null) then
      return old;
    end if;
  end if;
  raise exception 'the audit log is only added to' using errcode = 'CT409';
end $$;
create trigger audit_entry_kept before update or delete on audit_entry for each row execute function refuse_audit_change();
create trigger audit_value_kept before update or delete on audit_value for each row execute function refuse_audit_change();
create trigger audit_seal_kept before update or delete on audit_seal for each row execute function refuse_audit_change();
create trigger audit_entry_not_emptied before truncate on audit_entry execute function refuse_audit_change();
create trigger audit_value_not_emptied before truncate on audit_value execute function refuse_audit_change();
create trigger audit_seal_not_emptied before truncate on audit_seal execute function refuse_audit_change();

create trigger audit after insert or delete or update of
  email, name, role, is_disabled, tenant_id, editor_id, free_projects, email_verified_at, removed_at, profession, photo_url, preferences, time_zone
  on person for each row execute function keep_audit('person',
  'email name role is_disabled tenant_id editor_id free_projects email_verified_at', 'profession photo_url preferences time_zone removed_at', 'id', 'id');
create trigger audit after insert or delete or update of hash on password
  for each row execute function keep_audit('password', '', 'hash', 'person_id', 'person_id');
create trigger audit after insert or delete or update of secret, confirmed_at on totp
  for each row execute function keep_audit('authenticator', 'confirmed_at', 'secret', 'person_id', 'person_id');
create trigger audit after insert or delete or update of credential, public_key, name on passkey
  for each row execute function keep_audit('passkey', '', 'credential public_key name', 'id', 'person_id');
create trigger audit after insert or delete or update of provider, subject, email, person_id on connected_account
  for each row execute function keep_audit('sign-in-account', 'provider', 'subject email person_id', 'person_id', 'person_id');
create trigger audit after insert or delete or update of email, role, tenant_id, sent_at, accepted_at, accepted_by, withdrawn_at on invitation
  for each row execute function keep_audit('invitation', 'role tenant_id accepted_at withdrawn_at', 'email sent_at accepted_by', 'id', '');
create trigger audit after insert or delete or update on tenant for each row execute function keep_audit('company',
  'name is_active preferences total_users_allowed charge_by_email default_product_id default_plan_id default_coupon_code allowed_products use_own_scripts require_second_factor four_eyes',
  'invite_code', 'id', '');
create trigger audit after insert or delete or update of name, descriptions, metadata, percent_off, is_active on product
  for each row execute function keep_audit('product', 'name descriptions metadata percent_off is_active', '', 'id', '');
create trigger audit after insert or delete or update on plan
  for each row execute function keep_audit('plan', 'product_id currency price interval metadata is_active', '', 'id', '');
create trigger audit after insert or delete or update on coupon
  for each row execute function keep_audit('coupon', 'percent_off is_valid', '', 'id', '');
create trigger audit after insert or delete or update of
  user_id, tenant_id, plan_id, status, quantity, paused_from, ends_at, days_until_due, percent_off on subscription
  for each row execute function keep_audit('subscription',
  'plan_id status quantity paused_from ends_at days_until_due percent_off', 'user_id tenant_id', 'id', 'user_id');
create trigger audit after insert or delete or update of criteria on feedback_criteria
  for each row execute function keep_audit('criteria', 'criteria', '', 'single', '');
create trigger audit after insert or delete or update of
  title, description, transport_type, notification, status, recurrence, time_zone, tenant_ids, execution_date, time_of_day, criteria, first_day
  on notification_trigger for each row execute function keep_audit('trigger',
  'title description transport_type notification status recurrence time_zone tenant_ids execution_date time_of_day criteria first_day', '', 'id', '');

alter table audit_entry enable row level security; alter table audit_entry force row level security;
alter table audit_value enable row level security; alter table audit_value force row level security;
alter table audit_seal enable row level security; alter table audit_seal force row level security;
alter table audit_waiting enable row level security; alter table audit_waiting force row level security;
create policy audit_entry_seen on audit_entry for select
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy audit_value_seen on audit_value for select
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy audit_seal_seen on audit_seal for select
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy audit_entry_kept on audit_entry to current_user using (true) with check (true);
create policy audit_value_kept on audit_value to current_user using (true) with check (true);
create policy audit_seal_kept on audit_seal to current_user using (true) with check (true);
create policy audit_waiting_kept on audit_waiting to current_user using (true) with check (true);
grant select on audit_entry, audit_value, audit_seal to clear_app;
