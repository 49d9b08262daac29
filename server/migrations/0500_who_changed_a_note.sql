-- floor: 0300
-- Who changed a note, beside the address that they had then: by the address alone, one from before a change of address stayed
-- when its person was removed, and whoever had it next took the history of somebody else with them. Of older entries the note
-- itself says who wrote it, and the audit log whose an address was and until when; an address that nobody can be asked about is
-- of somebody who was removed. See docs/decisions/1201.
alter table note_event add column actor_id uuid default actor_id() references person;
create index note_event_actor on note_event (actor_id);
select set_config('app.role', 'SYSTEM', true);
update note_event e set actor_id = coalesce(
  (select n.author_id from note n where n.id = e.note_id and e.type = 'created'),
  (select v.person_id from audit_value v join audit_entry a on a.id = v.entry_id
   where a.kind = 'person' and v.changes -> 'email' ->> 0 = e.actor_email and a.at > e.at order by a.at limit 1),
  (select p.id from person p where p.email = e.actor_email and p.email_since <= e.at));
update note_event set actor_email = '' where actor_id is null and actor_email <> '';
select set_config('app.role', '', true);

create or replace function erase_traces(of_person uuid, address text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if actor_role() <> 'SYSTEM' then
    raise exception 'only the service erases' using errcode = '42501';
  end if;
  delete from note where user_id = of_person;
  update note set author_email = '' where author_id = of_person;
  update note_event set actor_email = '' where actor_id = of_person;
end $$;
