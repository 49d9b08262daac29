-- floor: 0180
-- Migrations 0046 and 0179 changed rows without saying who asks, so row-level security showed them none. What they were to
-- fill is filled here, where nothing newer stands. See docs/decisions/0544.
select set_config('app.role', 'SYSTEM', true);

update charge set refunded = price where status = 'refunded' and refunded < price;

insert into edit_author (project_id, person_id, tenant_id, since)
select e.project_id, e.modified_by, e.tenant_id, p.submitted_at
from edit e join project p on p.id = e.project_id where e.modified_by is not null
on conflict do nothing;

select set_config('app.role', '', true);
