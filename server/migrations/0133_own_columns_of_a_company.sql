-- What a company's own ADMIN may change of it is listed here, as a person's profile is in 0069; seats, plan, coupon and
-- standing (a column of tomorrow, too) are changed by the service and its ADMIN alone. The domain's `tenantFields` says the
-- same to people. Whom policies do not bind is not bound by this either.
create function refuse_company_columns_of_the_service() returns trigger language plpgsql as $$
declare
  own constant text[] := array['name', 'preferences', 'invite_code', 'use_own_scripts', 'require_second_factor', 'four_eyes'];
begin
  if actor_role() <> 'SYSTEM' and actor_tenant() is not null and row_security_active('tenant')
    and to_jsonb(old) - own <> to_jsonb(new) - own then
    raise exception 'only the service changes what a company pays for' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger tenant_columns before update on tenant for each row execute function refuse_company_columns_of_the_service();

-- A purchase is begun by a person; that it is paid (and only what is paid is used for a month), the service says.
drop policy extra_project_begun on extra_project;
create policy extra_project_begun on extra_project for insert with check (
  actor_role() = 'SYSTEM' or (user_id = actor_id() and state = 'started')
);
