-- floor: 0232
-- An editor's hours are what they are paid by, so the audit log says from what to what they changed. See docs/decisions/0616.
drop trigger audit on person;
create trigger audit after insert or delete or update of
  email, name, role, is_disabled, tenant_id, editor_id, free_projects, email_verified_at, removed_at, profession, photo_url, preferences, time_zone,
  nmls_number, licence_states, work_week, time_off
  on person for each row execute function keep_audit('person',
  'email name role is_disabled tenant_id editor_id free_projects email_verified_at nmls_number licence_states work_week',
  'profession photo_url preferences time_zone removed_at time_off', 'id', 'id');
