-- Row-level security says whose row it is; this says which of its columns are theirs. What a person, or an ADMIN who serves
-- them, may change is listed here; everything else (role, company, address, standing; a column of tomorrow, too) is changed
-- by the service alone. Whom policies do not bind is not bound by this either.
create function refuse_columns_of_the_service() returns trigger language plpgsql as $$
declare
  profile constant text[] := array['name', 'profession', 'photo_url', 'preferences', 'time_zone', 'fcm_token',
                                   'experience_id', 'modified_at'];
begin
  if actor_role() <> 'SYSTEM' and row_security_active('person') and to_jsonb(old) - profile <> to_jsonb(new) - profile then
    raise exception 'only the service changes what is not of a profile' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger person_columns before update on person for each row execute function refuse_columns_of_the_service();
