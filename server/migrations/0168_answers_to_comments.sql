-- A comment that answers another one, changed, or taken back: who reads the thread sees that something stood there.
alter table project_comment add column parent_id uuid references project_comment;
alter table project_comment add column edited_at timestamptz;
alter table project_comment add column deleted_at timestamptz;
create index project_comment_answers on project_comment (parent_id) where parent_id is not null;
-- What reviewers decided, newest first.
create index project_event_verdicts on project_event (at desc) where verb in ('approve', 'deny');
