-- floor: 0300
-- What somebody paid themselves an ADMIN of their company reads where it was paid while they were in it. A stay stands in several
-- rows of membership; the moment in which one ends belongs to the next. See docs/decisions/1236.
drop policy charge_seen on charge;
create policy charge_seen on charge for select using (
  user_id = actor_id()
  or actor_role() = 'SYSTEM'
  or (actor_role() = 'ADMIN' and (actor_tenant() is null or tenant_id = actor_tenant() or (
    exists (select from person p where p.id = user_id and p.tenant_id = actor_tenant())
    and exists (select from membership m where m.person_id = user_id and m.tenant_id = actor_tenant()
      and (m.since is null or m.since <= charge.created_at) and (m.until is null or charge.created_at < m.until)))))
);
