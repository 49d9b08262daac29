-- floor: 0300
-- An unlogged table's sequence is unlogged, too, and PostgreSQL (18.x) does not write its first page to a standby's disk before
-- the standby has made a restart point of its own: one that takes over before that finds zeros there, and whoever tells
-- anything fails with “bad magic number in sequence”, which is nearly every write (decision 762). Logged, it costs a record for
-- each 32 news, and its numbers go on where they were.
alter sequence news_id_seq set logged;
