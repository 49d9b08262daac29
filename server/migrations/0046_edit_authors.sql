-- Who changed a project's edit, and since when: whoever did does not approve a cut that was made of it.

create table edit_author (
  project_id uuid not null references project,
  person_id  uuid not null references person,
  tenant_id  uuid,
  -- The first change of theirs.
  since      timestamptz not null,
  primary key (project_id, person_id)
);
create index edit_author_person on edit_author (person_id);

-- Of what was saved before this, only the last author is known. They count for every cut of the project.
insert into edit_author (project_id, person_id, tenant_id, since)
  select e.project_id, e.modified_by, e.tenant_id, p.submitted_at
  from edit e join project p on p.id = e.project_id where e.modified_by is not null;

alter table edit_author enable row level security; alter table edit_author force row level security;
create policy edit_author_seen on edit_author using ((select serves_all()) or tenant_id = (select served_tenant()));
grant select, insert on edit_author to clear_app;

-- What is finished or waits to go out is the file that was approved, whoever writes the row.
alter table project add check (status not in (2, 7) or final_video_id is not distinct from approved_video_id);
