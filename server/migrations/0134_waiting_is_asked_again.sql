-- A video that waits for its month has a moment at which it is asked whether it may enter the queue. Some had none: their
-- entering was rolled back after the month had begun, and nobody asked them again.
select set_config('app.role', 'SYSTEM', true);
update project set due_at = date_trunc('month', now()) + interval '1 month'
where status = 7 and final_video_id is null and due_at is null;
select set_config('app.role', '', true);
alter table project add constraint project_waits_until check (status <> 7 or final_video_id is not null or due_at is not null);
