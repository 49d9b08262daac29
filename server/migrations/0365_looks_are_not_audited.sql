-- floor: 0300
-- Whether somebody looks at the steps of setting up (`preferences.hidesSetUp`) is nothing that the log is about: it was kept as a
-- change of their brand kit, which it is not. See docs/decisions/0777.
-- Arguments: the kind; columns whose values are kept; columns of which only a change is; the column that says which one it is;
-- the column that says whose data it is.
create or replace function keep_audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  was jsonb := case when tg_op = 'INSERT' then '{}' else jsonb_strip_nulls(to_jsonb(old)) end;
  becomes jsonb := case when tg_op = 'DELETE' then '{}' else jsonb_strip_nulls(to_jsonb(new)) end;
  whole jsonb := case when tg_op = 'DELETE' then was else becomes end;
  doing text := case tg_op when 'INSERT' then 'added' when 'DELETE' then 'removed' else 'changed' end;
  changes jsonb := '{}';
  of_person uuid;
  company uuid;
  is_gone boolean := false;
  name text;
begin
  if tg_table_name = 'person' then
    was := was #- '{preferences,hidesSetUp}';
    becomes := becomes #- '{preferences,hidesSetUp}';
  end if;
  foreach name in array string_to_array(tg_argv[1], ' ') loop
    changes := changes || audit_difference(name, was -> name, becomes -> name);
  end loop;
  foreach name in array string_to_array(tg_argv[2], ' ') loop
    if was -> name is distinct from becomes -> name then
      changes := changes || jsonb_build_object(name, true);
    end if;
  end loop;
  if tg_op = 'UPDATE' and changes = '{}' then
    return null;
  end if;
  of_person := (whole ->> nullif(tg_argv[4], ''))::uuid;
  if tg_table_name = 'person' then
    is_gone := tg_op = 'DELETE' or becomes ? 'removed_at';
    if is_gone and tg_op = 'UPDATE' and not was ? 'removed_at' then
      doing := 'removed';
    end if;
  elsif of_person is not null then
    is_gone := not exists (select from person p where p.id = of_person and p.removed_at is null);
  end if;
  if is_gone then
    perform forget_audited(of_person);
    changes := '{}';
  end if;
  company := case
    -- What was for other companies before is no company's: each would read what was written to the others.
    when tg_op = 'UPDATE' and was -> 'tenant_ids' is distinct from becomes -> 'tenant_ids' then null
    when tg_table_name = 'tenant' then (whole ->> 'id')::uuid
    when whole ? 'tenant_id' then (whole ->> 'tenant_id')::uuid
    when jsonb_array_length(whole -> 'tenant_ids') = 1 then (whole -> 'tenant_ids' ->> 0)::uuid
    when tg_table_name <> 'person' and of_person is not null then (select p.tenant_id from person p where p.id = of_person) end;
  -- Each company sees that somebody left it or came, and neither the other one.
  if tg_table_name = 'person' and tg_op = 'UPDATE' and was ? 'tenant_id' and was -> 'tenant_id' is distinct from becomes -> 'tenant_id' then
    perform add_audit((was ->> 'tenant_id')::uuid, tg_argv[0], doing, whole ->> tg_argv[3], of_person,
      case when is_gone then '{}' else jsonb_build_object('tenant_id', jsonb_build_array(was -> 'tenant_id', null)) end);
    if not is_gone then
      changes := changes - 'tenant_id' || case
        when becomes ? 'tenant_id' then jsonb_build_object('tenant_id', jsonb_build_array(null, becomes -> 'tenant_id')) else '{}' end;
      if changes = '{}' then
        return null;
      end if;
    end if;
  end if;
  perform add_audit(company, tg_argv[0], doing, whole ->> tg_argv[3], of_person, changes);
  return null;
end $$;
