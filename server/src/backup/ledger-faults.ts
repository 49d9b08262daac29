/** Each project's events: without a gap, each from where the one before led, the last one to where the project stands. */
export const ledgerFaults = `
  with line as (
    select project_id, seq, from_status, to_status,
      row_number() over w as place, lag(to_status) over w as before, lead(seq) over w is null as is_last
    from project_event window w as (partition by project_id order by seq)
  )
  select format('Event %s of project %s stands in the place of %s', seq, project_id, place) as fault
    from line where seq <> place
  union all
  select format('Event %s of project %s starts from status %s, the one before led to %s', seq, project_id, from_status, before)
    from line where from_status is distinct from before
  union all
  select format('Project %s has status %s and %s events, its events lead to %s and %s', p.id, p.status, p.seq, to_status, line.seq)
    from project p left join line on project_id = p.id and is_last
    where p.status is distinct from to_status or p.seq is distinct from line.seq
  limit 100`
