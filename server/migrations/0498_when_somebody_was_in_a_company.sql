-- floor: 0300
-- From when until when somebody was in which company; null: the service itself. The work that an editor did for a company is paid
-- by that company, also once they were moved, and each company's ADMINs read its own rows alone. See docs/decisions/1191.
create table membership (
  id         uuid primary key default uuidv7(),
  person_id  uuid not null references person on delete cascade,
  tenant_id  uuid references tenant on delete cascade,
  -- Null: from the beginning on, and until now.
  since      timestamptz,
  until      timestamptz check (until >= since),
  -- What the company knew of them when it ended, by which it counts their hours.
  role       text,
  work_week  jsonb,
  time_off   jsonb not null default '[]',
  time_zone  text
);
create unique index membership_now on membership (person_id) where until is null;
create index membership_person on membership (person_id, until);
create index membership_tenant on membership (tenant_id, until);

-- The database writes it, so that no code forgets it, that of before included.
create function keep_membership() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moved_at timestamptz;
begin
  if tg_op = 'UPDATE' and new.removed_at is not null then
    update membership set work_week = null, time_off = '[]', time_zone = new.time_zone
      where person_id = new.id and until is not null;
  end if;
  if tg_op = 'UPDATE' and new.tenant_id is not distinct from old.tenant_id then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    update membership set until = greatest(since, clock_timestamp()), role = old.role, work_week = old.work_week,
        time_off = coalesce(old.time_off, '[]'), time_zone = old.time_zone
      where person_id = new.id and until is null returning until into moved_at;
  end if;
  insert into membership (person_id, tenant_id, since) values (new.id, new.tenant_id, moved_at);
  return null;
end $$;
create trigger membership_begun after insert on person for each row execute function keep_membership();
create trigger membership_changed after update of tenant_id, removed_at on person for each row
  when (old.tenant_id is distinct from new.tenant_id or old.removed_at is distinct from new.removed_at)
  execute function keep_membership();

alter table membership enable row level security; alter table membership force row level security;
create policy membership_seen on membership for select
  using ((select actor_role()) in ('ADMIN', 'SYSTEM') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy membership_kept on membership to current_user using (true) with check (true);
grant select on membership to clear_app;

select set_config('app.role', 'SYSTEM', true);
-- Earlier moves stand in the audit log: an entry says what they left, or where they came.
with move as (
  select e.person_id, e.at, (v.changes->'tenant_id'->>0)::uuid as was, (v.changes->'tenant_id'->>1)::uuid as becomes,
    lag(e.at) over person_moves as before, lead(e.at) over person_moves as after
  from audit_entry e join audit_value v on v.entry_id = e.id join person p on p.id = e.person_id
  where e.kind = 'person' and e.act = 'changed' and v.changes ? 'tenant_id'
  window person_moves as (partition by e.person_id order by e.at, e.id)),
stay as (
  select person_id, was as tenant_id, null::timestamptz as since, at as until from move where before is null
  union all select person_id, becomes, at, after from move
  union all select p.id, p.tenant_id, null, null from person p where not exists (select from move m where m.person_id = p.id))
insert into membership (person_id, tenant_id, since, until, role, work_week, time_off, time_zone)
select s.person_id, s.tenant_id, s.since, s.until,
  case when s.until is not null then p.role end, case when s.until is not null then p.work_week end,
  case when s.until is not null then coalesce(p.time_off, '[]') else '[]' end, case when s.until is not null then p.time_zone end
from stay s join person p on p.id = s.person_id
where s.tenant_id is null or exists (select from tenant t where t.id = s.tenant_id);
-- Where the log holds no more than that they are here now.
update membership m set tenant_id = p.tenant_id from person p
where p.id = m.person_id and m.until is null and m.tenant_id is distinct from p.tenant_id;
select set_config('app.role', '', true);
