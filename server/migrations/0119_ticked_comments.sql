-- A remark that somebody of the staff has dealt with: who ticked it off, and when.
alter table project_comment add column done_by uuid references person;
alter table project_comment add column done_at timestamptz;
alter table project_comment add check ((done_by is null) = (done_at is null));
