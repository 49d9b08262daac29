-- How often the worker of a render died over it, apart from tries that ended alive.
alter table render add column crashes integer not null default 0;
