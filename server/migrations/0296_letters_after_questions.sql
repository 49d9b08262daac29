-- Letters of the contact form wait behind questions of people with accounts. See docs/decisions/0670.
create or replace function support_place() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.place := case new.state
    when 'waiting' then (case when new.person_id is null then 1e10 else 0 end) + extract(epoch from new.since)
    else (case new.state when 'answered' then 2e10 else 4e10 end) - extract(epoch from new.since) end;
  return new;
end $$;
select set_config('app.role', 'SYSTEM', true);
update support_thread set since = since where person_id is null and state = 'waiting';
select set_config('app.role', '', true);
create index support_thread_letter on support_thread (place, id) where person_id is null and state = 'waiting';
create index support_thread_letter_at on support_thread (created_at) where person_id is null;
create index support_message_asker on support_message (person_id, created_at) where not by_staff;

-- A message is of whoever its question is of. The question is looked up as the writer sees it.
create function support_message_owner() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select from support_thread h where h.id = new.thread_id
      and h.person_id is not distinct from new.person_id and h.tenant_id is not distinct from new.tenant_id) then
    raise exception 'the question is not of the person and company of the message' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger owner before insert on support_message for each row execute function support_message_owner();

-- Whoever asked does not write as staff, and staff not as whoever asked.
alter policy support_message_written on support_message
  with check ((select actor_role()) = 'SYSTEM' or (author_id = (select actor_id())
    and by_staff = (person_id is distinct from (select actor_id()))
    and (person_id = (select actor_id())
      or ((select actor_role()) = 'ADMIN' and ((select serves_all()) or tenant_id = (select served_tenant()))))));
