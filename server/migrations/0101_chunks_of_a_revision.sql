-- Of which revision chunk_names, changed_to, length_ms and ready tell: a run that was stopped early did not look yet.
alter table render_ahead add column chunks_of integer;
update render_ahead set chunks_of = revision where length_ms is not null;
