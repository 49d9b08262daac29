-- floor: 0300
-- A stay in a company ends and begins anew with each change of what somebody may do there, so that the payroll knows from when until
-- when they edited for it: they are moved, given another role, disabled, enabled or removed. See docs/decisions/1222.
alter table membership add column is_disabled boolean not null default false;
comment on column membership.role is 'Throughout the stay; null where nobody knows';
comment on column membership.is_disabled is 'Throughout the stay; of somebody who was removed, too';

create or replace function keep_membership() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ended_at timestamptz;
begin
  if tg_op = 'UPDATE' and (new.tenant_id, new.role, new.is_disabled or new.removed_at is not null)
      is distinct from (old.tenant_id, old.role, old.is_disabled or old.removed_at is not null) then
    update membership set until = greatest(since, clock_timestamp()), role = old.role, work_week = old.work_week,
        time_off = coalesce(old.time_off, '[]'), time_zone = old.time_zone
      where person_id = new.id and until is null returning until into ended_at;
  end if;
  if tg_op = 'INSERT' or ended_at is not null then
    insert into membership (person_id, tenant_id, since, role, is_disabled)
    values (new.id, new.tenant_id, ended_at, new.role, new.is_disabled or new.removed_at is not null);
  end if;
  -- Of whoever is removed, the stay that ends with it included.
  if tg_op = 'UPDATE' and new.removed_at is not null then
    update membership set work_week = null, time_off = '[]', time_zone = new.time_zone
      where person_id = new.id and until is not null;
  end if;
  return null;
end $$;
drop trigger membership_changed on person;
create trigger membership_changed after update of tenant_id, role, is_disabled, removed_at on person for each row
  when ((old.tenant_id, old.role, old.is_disabled, old.removed_at) is distinct from (new.tenant_id, new.role, new.is_disabled, new.removed_at))
  execute function keep_membership();

select set_config('app.role', 'SYSTEM', true);
-- What was before stands in the audit log: an entry says what a role was until then, and whether they were disabled. What it said of
-- somebody who was removed is gone: of them the role that they had last is known, and the moment.
with change as (
  select e.person_id, e.at, v.changes->'role'->>0 as role, (v.changes->'is_disabled'->>0)::boolean as is_disabled
  from audit_entry e join audit_value v on v.entry_id = e.id
  where e.kind = 'person' and e.act = 'changed' and v.changes ?| array['role', 'is_disabled']
  union all
  select p.id, p.removed_at, null, false from person p where p.removed_at is not null),
edge as (
  select m.id, m.since as at from membership m
  union
  select m.id, c.at from membership m join change c on c.person_id = m.person_id
  where (c.at > m.since or m.since is null) and (c.at < m.until or m.until is null)),
stretch as (
  select id, at as since, lead(at) over (partition by id order by at nulls first) as next from edge),
stay as (
  select m.id, m.person_id, m.tenant_id, s.since, s.next,
    coalesce((select c.role from change c where c.person_id = m.person_id and c.role is not null
      and (c.at > s.since or s.since is null) order by c.at limit 1), m.role, p.role) as role,
    coalesce((select c.is_disabled from change c where c.person_id = m.person_id and c.is_disabled is not null
      and (c.at > s.since or s.since is null) order by c.at limit 1), p.is_disabled or p.removed_at is not null) as is_disabled,
    -- Hours as the company knew them when it ended, or knows them now.
    case when m.until is null then p.work_week else m.work_week end as work_week,
    case when m.until is null then coalesce(p.time_off, '[]') else m.time_off end as time_off, coalesce(m.time_zone, p.time_zone) as time_zone
  from stretch s join membership m on m.id = s.id join person p on p.id = m.person_id),
earlier as (
  insert into membership (person_id, tenant_id, since, until, role, is_disabled, work_week, time_off, time_zone)
  select person_id, tenant_id, since, next, role, is_disabled, work_week, time_off, time_zone from stay where next is not null)
update membership m set since = s.since, role = s.role, is_disabled = s.is_disabled from stay s where s.id = m.id and s.next is null;
select set_config('app.role', '', true);
