-- floor: 0300
-- A file that was brought to a project beside its cuts, such as music, is kept while the saved edit names it: `edit_clip` says so from
-- now on, as of clips. Edits of before are read once here; what was sent in as a cut is kept anyway. See docs/decisions/1022.
select set_config('app.role', 'SYSTEM', true);
insert into edit_clip (project_id, tenant_id, asset_id)
select e.project_id, e.tenant_id, a.id from asset a join edit e on e.project_id = a.project_id
where a.purpose = 'cut'
  and not exists (select from project_cut c where c.asset_id = a.id)
  and not exists (select from render r where r.asset_id = a.id)
  and (e.recipe #>> '{sound,music,assetId}' = a.id::text or e.recipe #>> '{brand,logo}' = a.id::text
    or jsonb_path_exists(e.recipe, '$.layers[*].assetId ? (@ == $id)', jsonb_build_object('id', a.id)))
on conflict do nothing;
select set_config('app.role', '', true);
