-- floor: 0280
-- An ADMIN reads who of the people within reach agreed to which words: of whom they read, the person's own policy says. See
-- docs/decisions/0671.
create policy consent_listed on consent for select
  using ((select actor_role()) = 'ADMIN' and exists (select from person p where p.id = consent.person_id));
