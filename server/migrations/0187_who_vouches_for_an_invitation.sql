-- Nobody vouches in somebody else's name: an ADMIN writes invitations that name themselves alone. See docs/decisions/0546.
drop policy invitation_made on invitation;
create policy invitation_made on invitation for insert
  with check ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN' and invited_by = (select actor_id())
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
drop policy invitation_set on invitation;
create policy invitation_set on invitation for update
  using ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN'
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))))
  with check ((select actor_role()) = 'SYSTEM' or ((select actor_role()) = 'ADMIN' and invited_by = (select actor_id())
    and ((select actor_tenant()) is null or tenant_id = (select actor_tenant()))));
