-- floor: 0300
-- Of a thousand people who are told at once the news is written by one statement, not by one for each of them.
drop trigger notification_live on notification;
create or replace function tell_notification_live() returns trigger language plpgsql as $$
begin
  insert into news (told) select json_build_object('type', 'notification', 'id', id, 'userId', user_id) from added;
  return null;
end $$;
create trigger notification_live after insert on notification
  referencing new table as added for each statement execute function tell_notification_live();
