-- How many people a company wants on each video: docs/decisions/0250.

alter table tenant add column four_eyes text not null default 'author-and-approver'
  check (four_eyes in ('author-and-approver', 'three-people'));

-- What a policy hides but a rule needs: one value, never a row.
create function four_eyes_of(tenant uuid) returns text language sql stable security definer set search_path = public, pg_temp
  as $$ select four_eyes from tenant t where t.id = four_eyes_of.tenant $$;
