-- Whether whoever took a step served every tenant at that moment. Only the service undoes what its people did.
alter table project_event add column actor_serves_all boolean not null default false;
create policy project_event_carried on project_event for update to current_user using (actor_role() = 'SYSTEM');
select set_config('app.role', 'SYSTEM', true);
update project_event e set actor_serves_all = true
where e.actor_role = 'SYSTEM' or (e.actor_role in ('Editor', 'QA', 'ADMIN')
  and exists (select from person p where p.id = e.actor_id and p.tenant_id is null));
-- From now on a video of which a cut was sent stays begun, whatever is rolled back.
update project set editing_begun = true where cuts > 0 and not editing_begun;
select set_config('app.role', '', true);
drop policy project_event_carried on project_event;
alter table project_event alter column actor_serves_all drop default;
