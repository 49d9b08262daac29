-- Goals and what is counted of a month were open to every QA and ADMIN, whatever company they serve. They are seen by
-- whom they count for and by the QA and ADMIN who serve that person. What is counted is written by the service alone,
-- whoever takes the step that is counted; a goal's target is set by QA and ADMIN.
drop policy goal_seen on goal;
create policy goal_seen on goal for select using (
  editor_id = actor_id()
  or actor_role() = 'SYSTEM'
  or (actor_role() in ('QA', 'ADMIN') and exists (select from person p where p.id = editor_id))
);
create policy goal_made on goal for insert with check (actor_role() = 'SYSTEM');
create policy goal_set on goal for update using (
  actor_role() = 'SYSTEM'
  or (actor_role() in ('QA', 'ADMIN') and exists (select from person p where p.id = editor_id))
);

drop policy goal_day_seen on goal_day;
create policy goal_day_seen on goal_day for select using (exists (select from goal g where g.id = goal_id));
create policy goal_day_made on goal_day for insert with check (actor_role() = 'SYSTEM');
create policy goal_day_set on goal_day for update using (
  actor_role() in ('SYSTEM', 'QA', 'ADMIN') and exists (select from goal g where g.id = goal_id)
);

drop policy quota_use_seen on quota_use;
create policy quota_use_seen on quota_use for select using (
  user_id = actor_id()
  or actor_role() = 'SYSTEM'
  or (actor_role() in ('QA', 'ADMIN') and exists (select from person p where p.id = user_id))
);
create policy quota_use_counted on quota_use using (actor_role() = 'SYSTEM');
