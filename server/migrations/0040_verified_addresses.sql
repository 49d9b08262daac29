-- When the person of an account first proved that its address is theirs: by a code that was sent there, by a provider that
-- vouched for it, or because the operator made the account. Null: nobody has proved it, and what needs proof is refused.
alter table person add column email_verified_at timestamptz;

-- Who is here already counts as verified where there is evidence; everybody else is asked once (decision 0240).
-- The owner stands under the policies, too.
select set_config('app.role', 'SYSTEM', true);
update person p set email_verified_at = p.created_at
where p.removed_at is null and (
  -- Staff were made by the operator or an ADMIN.
  p.role <> 'User'
  -- The demo's.
  or (p.email in ('officer@demo.test', 'officer@other.test') and exists (select from seeded where step = 'people'))
  -- An account that was opened by a provider, in one transaction with its connection, was vouched for. One that was
  -- connected later proves nothing about this address.
  or exists (select from connected_account c where c.person_id = p.id and c.connected_at = p.created_at)
  -- A code that was sent to this address was used: for a new password, or to move here.
  or exists (select from one_time_token t
             where t.person_id = p.id and t.email = p.email and t.purpose = 'password' and t.redeemed_at is not null)
  or exists (select from mail m
             where m.recipient = p.email and m.template = 'passwordChanged' and m.created_at >= p.created_at)
  or exists (select from mail m
             where m.template = 'addressChanged' and m.data ->> 'newAddress' = p.email and m.created_at >= p.created_at)
);
select set_config('app.role', '', true);
