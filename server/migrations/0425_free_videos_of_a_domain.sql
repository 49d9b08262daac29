-- floor: 0300
-- The mail domain of the mailbox that had a free video (keyed hash; null: of a provider whose addresses anybody can have, or
-- kept before), and when it had it: the addresses of one domain have a few in 30 days. See docs/decisions/0970.
alter table free_video add column domain bytea, add column used_at timestamptz not null default now();
create index free_video_domain on free_video (domain, used_at) where domain is not null;
