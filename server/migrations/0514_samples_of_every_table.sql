-- floor: 0300
-- The planner's samples hold words of whoever was removed. They are taken anew of every table that there is, so that no list has
-- to know of a new one, and dropped first: of a table that is empty by now none are taken. See docs/decisions/1231.
create or replace function forget_samples() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  one record;
begin
  if actor_role() <> 'SYSTEM' then
    raise exception 'only the service erases' using errcode = '42501';
  end if;
  -- In one order: two removals that end at once wait for each other in turn.
  for one in
    select c.oid, n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'pgboss') and pg_has_role(c.relowner, 'usage') order by c.oid
  loop
    perform pg_clear_attribute_stats(one.nspname, one.relname, a.attname, is_inherited)
    from pg_attribute a, unnest(array[false, true]) is_inherited
    where a.attrelid = one.oid and a.attnum > 0 and not a.attisdropped;
    execute format('analyze only %I.%I', one.nspname, one.relname);
  end loop;
end $$;

-- A mail stays until it has left, the one with the receipt, too, and is found by its key: the planner needs none of its words.
alter table mail alter column recipient set statistics 0, alter column data set statistics 0, alter column error set statistics 0;
select pg_clear_attribute_stats('public', 'mail', words, false) from unnest(array['recipient', 'data', 'error']) words;
