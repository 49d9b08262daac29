-- floor: 0296
-- From which net a letter of the contact form came (a /24 or a /48), so that a flood of them closes its own first. See
-- docs/decisions/0711.
alter table support_thread add column from_net text check (person_id is null or from_net is null);
