-- floor: 0211
-- API keys, licences and editors' hours stand in the audit log, too. See docs/decisions/0565.
drop trigger audit on person;
create trigger audit after insert or delete or update of
  email, name, role, is_disabled, tenant_id, editor_id, free_projects, email_verified_at, removed_at, profession, photo_url, preferences, time_zone,
  nmls_number, licence_states, work_week, time_off
  on person for each row execute function keep_audit('person',
  'email name role is_disabled tenant_id editor_id free_projects email_verified_at nmls_number licence_states',
  'profession photo_url preferences time_zone removed_at work_week time_off', 'id', 'id');
drop trigger audit on tenant;
create trigger audit after insert or delete or update on tenant for each row execute function keep_audit('company',
  'name is_active preferences total_users_allowed charge_by_email default_product_id default_plan_id default_coupon_code allowed_products use_own_scripts require_second_factor four_eyes nmls_number licence_states equal_housing',
  'invite_code', 'id', '');
create trigger audit after insert or delete or update of name, scopes, ends_at, revoked_at on api_key
  for each row execute function keep_audit('api-key', 'scopes ends_at revoked_at', 'name', 'id', 'person_id');
