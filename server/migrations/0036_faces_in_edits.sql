-- A logo is its company's or its officer's and no project's, and yet every edit of theirs shows it to whoever edits.
drop policy asset_seen on asset;
create policy asset_seen on asset using (
  author_id = (select actor_id())
  or (((select serves_all()) or tenant_id = (select served_tenant()))
      and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')
           or exists (select from note_asset n where n.asset_id = asset.id)
           or exists (select from asset_face f where f.asset_id = asset.id)))
  or exists (select from project_cut c where c.asset_id = asset.id and c.user_id = actor_id() and c.verdict = 'approved')
);
