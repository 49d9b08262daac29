-- The mailbox that an invitation goes to, as one spelling (domain/src/mailbox.ts): how often somebody is invited is counted by
-- it. See docs/decisions/0514. Rows from before have none, and do not count on that day.
alter table invitation add column mailbox text not null default '';
alter table invitation alter column mailbox drop default;
create index invitation_of_mailbox on invitation (mailbox, created_at);
