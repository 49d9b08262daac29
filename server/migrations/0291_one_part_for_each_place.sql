-- floor: 0250
-- Of the acknowledged parts of an upload one stands at each place (decision 680): two would be two pieces of the same bytes.
select set_config('app.role', 'SYSTEM', true);
update stored_part p set state = 'open'
where p.state = 'put' and exists (
  select from stored_part o where o.asset_id = p.asset_id and o.at = p.at and o.state = 'put' and o.id < p.id);
select set_config('app.role', '', true);
create unique index stored_part_put on stored_part (asset_id, at) where state = 'put';
