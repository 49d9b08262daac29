-- floor: 0213
-- Who agreed to which words of the terms and of the privacy notice, and when. See docs/decisions/0640.
create table consent (
  person_id uuid not null references person on delete cascade,
  document  text not null check (document in ('terms', 'privacy')),
  -- The day from which these words held.
  version   date not null,
  given_at  timestamptz not null default now(),
  primary key (person_id, document, version)
);
alter table consent enable row level security; alter table consent force row level security;
create policy consent_seen on consent for select
  using (person_id = (select actor_id()) or (select actor_role()) = 'SYSTEM');
create policy consent_given on consent for insert
  with check (person_id = (select actor_id()) or (select actor_role()) = 'SYSTEM');
-- Whoever opened an account on somebody else's address agreed for nobody but themselves.
create policy consent_dropped on consent for delete using ((select actor_role()) = 'SYSTEM');
-- Nobody dates one anew.
grant select, insert, delete on consent to clear_app;
