-- A calendar's link is kept as the SHA-256 of its secret, 256 random bits: whoever reads the database or a copy of it has
-- no link. Links that live go on working.
alter table calendar_link add column secret_hash bytea;
-- The owner stands under the policies, too.
select set_config('app.role', 'SYSTEM', true);
update calendar_link set secret_hash = sha256(convert_to(secret, 'UTF8'));
select set_config('app.role', '', true);
alter table calendar_link alter column secret_hash set not null;
alter table calendar_link add constraint calendar_link_secret_hash_key unique (secret_hash);
alter table calendar_link drop column secret;
comment on table calendar_link is 'a person''s calendar, read by programs that cannot sign in: whoever has the link reads it';
