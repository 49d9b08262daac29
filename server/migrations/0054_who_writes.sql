-- Until here whoever saw a row could write it. Reading stays as it was; writing is for whom the product lets write.

-- A company's settings: the service, and the ADMIN who serves it.
drop policy tenant_seen on tenant;
create policy tenant_seen on tenant for select using (staff_reach(id) or id = actor_tenant());
create policy tenant_made on tenant for insert with check (actor_role() in ('SYSTEM', 'ADMIN') and staff_reach(id));
create policy tenant_set on tenant for update using (actor_role() in ('SYSTEM', 'ADMIN') and staff_reach(id));
create policy tenant_removed on tenant for delete using (actor_role() = 'SYSTEM');

-- People: their own profile, and the ADMIN who serves them. No row of a person is ever deleted.
drop policy person_seen on person;
create policy person_seen on person for select
  using (id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant()));
create policy person_made on person for insert
  with check ((select actor_role()) in ('SYSTEM', 'ADMIN') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy person_set on person for update using (
  id = (select actor_id())
  or ((select actor_role()) in ('SYSTEM', 'ADMIN') and ((select serves_all()) or tenant_id = (select served_tenant())))
);
create policy person_removed on person for delete using (actor_role() = 'SYSTEM');

-- An approved cut is shown to its officer; it stays the editor's and the company's to change.
drop policy asset_seen on asset;
create policy asset_seen on asset for select using (
  author_id = (select actor_id())
  or (((select serves_all()) or tenant_id = (select served_tenant()))
      and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')
           or exists (select from note_asset n where n.asset_id = asset.id)
           or exists (select from asset_face f where f.asset_id = asset.id)))
  or exists (select from project_cut c where c.asset_id = asset.id and c.user_id = actor_id() and c.verdict = 'approved')
);
create policy asset_written on asset using (
  author_id = (select actor_id())
  or (((select serves_all()) or tenant_id = (select served_tenant()))
      and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')))
);

-- Cuts are sent and judged by staff.
drop policy project_cut_seen on project_cut;
create policy project_cut_seen on project_cut for select
  using ((select serves_all()) or tenant_id = (select served_tenant()) or (user_id = (select actor_id()) and verdict = 'approved'));
create policy project_cut_written on project_cut using ((select serves_all()) or tenant_id = (select served_tenant()));

-- The timeline: nobody writes in somebody else's name.
drop policy project_event_seen on project_event;
create policy project_event_seen on project_event for select
  using (user_id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant()));
create policy project_event_added on project_event for insert with check (
  (actor_id = (select actor_id()) or (select actor_role()) = 'SYSTEM')
  and (user_id = (select actor_id()) or (select serves_all()) or tenant_id = (select served_tenant()))
);

-- What is paid for is written by the service, from what the payment provider says; a purchase is begun by whoever buys.
drop policy subscription_seen on subscription;
create policy subscription_seen on subscription for select using (
  user_id = actor_id()
  or tenant_id = actor_tenant()
  or actor_role() = 'SYSTEM'
  or (actor_role() in ('QA', 'ADMIN') and (actor_tenant() is null or exists (
    select from person p where p.id = user_id and p.tenant_id = actor_tenant())))
);
create policy subscription_written on subscription using (actor_role() = 'SYSTEM');
drop policy charge_seen on charge;
create policy charge_seen on charge for select using (
  user_id = actor_id()
  or actor_role() = 'SYSTEM'
  or (actor_role() = 'ADMIN' and (actor_tenant() is null or tenant_id = actor_tenant() or exists (
    select from person p where p.id = user_id and p.tenant_id = actor_tenant())))
);
create policy charge_written on charge using (actor_role() = 'SYSTEM');
drop policy extra_project_seen on extra_project;
create policy extra_project_seen on extra_project for select using (
  user_id = actor_id()
  or actor_role() = 'SYSTEM'
  or (actor_role() in ('QA', 'ADMIN') and (actor_tenant() is null or exists (
    select from person p where p.id = user_id and p.tenant_id = actor_tenant())))
);
create policy extra_project_begun on extra_project for insert with check (user_id = actor_id() or actor_role() = 'SYSTEM');
create policy extra_project_written on extra_project using (actor_role() = 'SYSTEM');

-- What is sold is read by everybody, signed in or not.
alter table product enable row level security; alter table product force row level security;
alter table plan enable row level security; alter table plan force row level security;
alter table coupon enable row level security; alter table coupon force row level security;
create policy product_seen on product for select using (true);
create policy product_written on product using (actor_role() = 'SYSTEM');
create policy plan_seen on plan for select using (true);
create policy plan_written on plan using (actor_role() = 'SYSTEM');
create policy coupon_seen on coupon for select using (true);
create policy coupon_written on coupon using (actor_role() = 'SYSTEM');

-- 0053 meant the goal's editor and named the person's: a person has an editor_id, too.
drop policy goal_seen on goal;
create policy goal_seen on goal for select using (
  editor_id = actor_id()
  or actor_role() = 'SYSTEM'
  or (actor_role() in ('QA', 'ADMIN') and exists (select from person p where p.id = goal.editor_id))
);
drop policy goal_set on goal;
create policy goal_set on goal for update using (
  actor_role() = 'SYSTEM'
  or (actor_role() in ('QA', 'ADMIN') and exists (select from person p where p.id = goal.editor_id))
);
