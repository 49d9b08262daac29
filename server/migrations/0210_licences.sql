-- floor: 0191
-- What a lender's advertisement says of who speaks: NMLS numbers, the states of their licences, Equal Housing. Columns and not
-- `preferences`, because rules will ask for them. See docs/decisions/0570.
create function are_licence_states(text[]) returns boolean language sql immutable parallel safe return
  $1 <@ array['AL','AK','AZ','AR','CA','CO','CT','DE','DC','FL','GA','GU','HI','ID','IL','IN','IA','KS','KY','LA','ME','MD','MA',
    'MI','MN','MS','MO','MT','NE','NV','NH','NJ','NM','NY','NC','ND','OH','OK','OR','PA','PR','RI','SC','SD','TN','TX','UT','VT',
    'VI','VA','WA','WV','WI','WY']
  and cardinality($1) <= 54;
alter table person
  add column nmls_number text check (nmls_number ~ '^[0-9]{1,10}$'),
  add column licence_states text[] not null default '{}' check (public.are_licence_states(licence_states));
alter table tenant
  add column nmls_number text check (nmls_number ~ '^[0-9]{1,10}$'),
  add column licence_states text[] not null default '{}' check (public.are_licence_states(licence_states)),
  add column equal_housing text check (equal_housing in ('lender', 'opportunity'));

create or replace function refuse_columns_of_the_service() returns trigger language plpgsql as $$
declare
  profile constant text[] := array['name', 'profession', 'photo_url', 'preferences', 'time_zone', 'fcm_token',
                                   'experience_id', 'modified_at', 'nmls_number', 'licence_states'];
begin
  if actor_role() <> 'SYSTEM' and row_security_active('person') and to_jsonb(old) - profile <> to_jsonb(new) - profile then
    raise exception 'only the service changes what is not of a profile' using errcode = '42501';
  end if;
  return new;
end $$;
create or replace function refuse_company_columns_of_the_service() returns trigger language plpgsql as $$
declare
  own constant text[] := array['name', 'preferences', 'invite_code', 'use_own_scripts', 'require_second_factor', 'four_eyes',
                               'nmls_number', 'licence_states', 'equal_housing'];
begin
  if actor_role() <> 'SYSTEM' and actor_tenant() is not null and row_security_active('tenant')
    and to_jsonb(old) - own <> to_jsonb(new) - own then
    raise exception 'only the service changes what a company pays for' using errcode = '42501';
  end if;
  return new;
end $$;
