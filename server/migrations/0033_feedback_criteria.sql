-- What QA scores: one list for the whole service. No row until an ADMIN sets one; the default set counts until then.
create table feedback_criteria (
  single      boolean primary key default true check (single),
  -- [{ id, label }] in their order.
  criteria    jsonb not null check (jsonb_typeof(criteria) = 'array' and jsonb_array_length(criteria) between 1 and 20),
  version     integer not null,
  modified_at timestamptz not null
);
alter table feedback_criteria enable row level security; alter table feedback_criteria force row level security;
create policy feedback_criteria_read on feedback_criteria for select
  using (actor_role() in ('SYSTEM', 'Editor', 'QA', 'ADMIN'));
-- A company's own ADMIN would change what everybody is scored by.
create policy feedback_criteria_write on feedback_criteria
  using (actor_role() = 'SYSTEM' or (actor_role() = 'ADMIN' and actor_tenant() is null));
grant select, insert, update on feedback_criteria to clear_app;
