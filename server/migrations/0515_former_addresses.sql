-- floor: 0300
-- Whose an address was before is asked at each removal. See docs/decisions/1220.
create index audit_value_former_email on audit_value ((changes #>> '{email,0}')) where changes ? 'email';
