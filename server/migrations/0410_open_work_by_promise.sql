-- floor: 0300
-- Open work in the order of what was promised; the filters of a list leave out some of it.
create index project_promised on project (due_by, id) where due_by is not null and status in (0, 1, 3, 4, 5);
create index project_tenant_promised on project (tenant_id, due_by, id) where due_by is not null and status in (0, 1, 3, 4, 5);
