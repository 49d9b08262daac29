-- floor: 0300
-- Of a trigger that was given to another company, that company's ADMIN reads the runs which told its own people. See
-- docs/decisions/1237.
drop policy trigger_run_read on trigger_run;
create policy trigger_run_read on trigger_run for select
  using (exists (select from notification_trigger t where t.id = trigger_id)
    and (actor_tenant() is null or content->'tenantIds' = jsonb_build_array(actor_tenant())));
