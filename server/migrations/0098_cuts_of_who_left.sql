-- A cut is its project's and not its author's: an editor who serves another company now has nothing of it any more. Staff
-- who serve the project's company see it as everything of their projects.
drop policy asset_seen on asset;
create policy asset_seen on asset for select using (
  (author_id = (select actor_id()) and purpose = 'source')
  or (((select serves_all()) or tenant_id = (select served_tenant()))
      and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')
           or exists (select from note_asset n where n.asset_id = asset.id)
           or exists (select from asset_face f where f.asset_id = asset.id)))
  or exists (select from project_cut c where c.asset_id = asset.id and c.user_id = actor_id() and c.verdict = 'approved')
  or exists (select from clip c where c.asset_id = asset.id)
);
drop policy asset_written on asset;
create policy asset_written on asset using (
  (author_id = (select actor_id()) and purpose = 'source')
  or (((select serves_all()) or tenant_id = (select served_tenant()))
      and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')))
);
