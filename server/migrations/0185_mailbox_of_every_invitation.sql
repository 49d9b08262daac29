-- Every invitation names its mailbox, also from before 0180: who is put out loses what was sent to any spelling of it. The same
-- spelling as domain/src/mailbox.ts. See docs/decisions/0546.
select set_config('app.role', 'SYSTEM', true);
with part as (
  select id, regexp_replace(regexp_replace(email, '@[^@]*$', ''), '^(.[^+]*)\+.*$', '\1') as name, regexp_replace(email, '^.*@', '') as host
  from invitation where mailbox = '')
update invitation v set mailbox = case
    when part.host in ('gmail.com', 'googlemail.com') then replace(part.name, '.', '') || '@gmail.com'
    else part.name || '@' || part.host end
from part where part.id = v.id;
select set_config('app.role', '', true);
alter table invitation add check (mailbox <> '');
