import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'values that are missing count as erased where the company no longer sees their person',
    file: 'server/src/audit/store.ts',
    from: 'is_gone(e.person_id) as',
    to: 'not exists (select from person p where p.id = e.person_id and p.removed_at is null) as',
    noticed: ['server/src/audit/audit.test.ts', 'what is changed in the log is found'],
  },
  {
    what: 'the log names a trigger by what it is called in another company, while row-level security sleeps',
    file: 'server/src/audit/store.ts',
    from: 'on n.id::text = a.id where ${triggersOf(caller)}',
    to: 'on n.id::text = a.id',
    noticed: ['server/test/walls-of-names.test.ts', 'neither names nor finds a trigger'],
  },
  {
    what: 'a person’s own file names who edits for them',
    file: 'server/src/audit/personal-data.ts',
    from: "sql`t.changes - 'editor_id'`",
    to: 'sql`t.changes`',
    noticed: ['server/test/personal-data.test.ts', 'has the id of no staff'],
  },
  {
    what: 'who opens an account at an address for a moment, without proof, keeps its owner’s letters from being erased',
    file: 'server/src/audit/store.ts',
    from: "and o.at <= ${until} and coalesce(w.changes #> '{email_verified_at,0}' <> 'null', true))`",
    to: 'and o.at <= ${until})`',
    noticed: ['server/test/address-anew.test.ts', 'never proved it'],
  },
  {
    what: 'an address has a beginning where nobody else had it, and what came before stays',
    file: 'server/src/audit/store.ts',
    from: 'and w.person_id <> ${personId}',
    to: 'and w.person_id is not null',
    noticed: ['server/test/address-anew.test.ts', 'before an address was anybody’s'],
  },
]
