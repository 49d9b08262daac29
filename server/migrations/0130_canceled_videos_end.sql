-- Source files of canceled videos go like those of finished ones; those of before have the same seven days.
select set_config('app.role', 'SYSTEM', true);
update project set expires_at = now() + interval '7 days' where status = 6 and expires_at is null;
select set_config('app.role', '', true);

-- How much a person's canceled videos hold is asked for every upload.
create index project_canceled on project (expires_at) where status = 6;
