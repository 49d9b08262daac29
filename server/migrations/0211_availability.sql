-- floor: 0210
-- When an editor works, and their days off: for the forecast of the queue (docs/decisions/0571). Null: the usual week.
alter table person
  add column work_week jsonb check (jsonb_typeof(work_week) = 'array' and jsonb_array_length(work_week) = 7),
  add column time_off jsonb not null default '[]' check (jsonb_typeof(time_off) = 'array' and jsonb_array_length(time_off) <= 60);

create or replace function refuse_columns_of_the_service() returns trigger language plpgsql as $$
declare
  profile constant text[] := array['name', 'profession', 'photo_url', 'preferences', 'time_zone', 'fcm_token',
                                   'experience_id', 'modified_at', 'nmls_number', 'licence_states', 'work_week', 'time_off'];
begin
  if actor_role() <> 'SYSTEM' and row_security_active('person') and to_jsonb(old) - profile <> to_jsonb(new) - profile then
    raise exception 'only the service changes what is not of a profile' using errcode = '42501';
  end if;
  return new;
end $$;
