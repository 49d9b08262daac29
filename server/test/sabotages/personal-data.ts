import type { Sabotage } from '../sabotage.ts'

const ownData = (test: string) => ['server/src/personal-data/exports.test.ts', test] as const
const givenUp = (test: string) => ['server/src/personal-data/exports-given-up.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'an account on anybody’s address erases what was written to them before',
    file: 'server/src/personal-data/removal.ts',
    from: 'isConfirmed: email_verified_at !== null,',
    to: 'isConfirmed: true,',
    noticed: ['server/src/personal-data/removal.test.ts', 'erases nothing of who had the address before'],
  },
  {
    what: 'the receipt of who became staff says nothing of their videos',
    file: 'server/src/personal-data/removal.ts',
    from: 'const roles = [role, ...(formerly?.roles ?? [])]',
    to: 'const roles = [role]',
    noticed: ['server/src/personal-data/receipt.test.ts', 'the receipt and the preview'],
  },
  {
    what: 'one provider that is away keeps the rest of a removal waiting',
    file: 'server/src/personal-data/removal.ts',
    from: '      failed.push(error)\n      continue\n',
    to: '      throw error\n',
    noticed: ['server/src/publishing/removed-holder.test.ts', 'keeps nothing else waiting'],
  },
  {
    what: 'an export outlives the sign-in that asked for it',
    file: 'server/src/personal-data/exports-store.ts',
    from: 'on p.id = e.person_id and p.security_stamp = e.security_stamp',
    to: 'on p.id = e.person_id',
    noticed: ownData('an export and its address end'),
  },
  {
    what: 'whoever leaves has every export of staff made anew',
    file: 'server/src/personal-data/exports-store.ts',
    from: 'and ${isAbout(leaving, projectIds)}',
    to: 'and (${isAbout(leaving, projectIds)} or true)',
    noticed: ownData('that says nothing of the person'),
  },
  {
    what: 'an export of staff keeps a note about who was removed',
    file: 'server/src/personal-data/exports-store.ts',
    from: 'exists (select from note n where n.author_id = p.id and n.user_id = ${id})',
    to: 'false',
    noticed: ownData('who was moved to another company and then removed'),
  },
  {
    what: 'an export gives files that came later',
    file: 'server/src/personal-data/exports.ts',
    from: 'filesToGive(tx, still.person_id, still.file_ids)',
    to: 'filesToGive(tx, still.person_id)',
    noticed: ownData('that were there when it was made'),
  },
  {
    what: 'the folder of a replaced export stays',
    file: 'server/src/personal-data/exports.ts',
    from: '...(last ? { formerId: last.id } : {})',
    to: '',
    noticed: ownData('drops the folder of the one before'),
  },
  {
    what: 'what was told to a removed person alone stays in the queue',
    file: 'server/src/personal-data/queued-jobs.ts',
    from: "and (data->'userIds') = ${JSON.stringify([leaving.id])}::jsonb",
    to: 'and false',
    noticed: ['server/test/personal-data.test.ts', 'leaves no trace'],
  },
  {
    what: 'the address of somebody’s own data keeps a connection while the store is asked',
    file: 'server/src/personal-data/exports.ts',
    from: 'const pages = found && (await pagesOf(found))',
    to: 'const pages = found && (await database.readOnly(systemCaller, () => pagesOf(found)))',
    noticed: ownData('an export contains a person’s own data'),
  },
  {
    what: 'whoever asks for the address of their own data keeps a connection while the store is asked',
    file: 'server/src/personal-data/exports.ts',
    from: 'if (!ready || !(await pagesOf(ready)))',
    to: 'if (!ready || !(await database.readOnly(systemCaller, () => pagesOf(ready))))',
    noticed: ownData('an export contains a person’s own data'),
  },
  {
    what: 'an export whose last try meets no bucket waits for ever',
    file: 'server/src/personal-data/exports.ts',
    from: 'if (lastAttempt) await giveUp(database, run)\n    await dropQuietly(exportFolder(run.id, run.attempt))',
    to: 'await kept().drop(exportFolder(run.id, run.attempt))\n    if (lastAttempt) await giveUp(database, run)',
    noticed: givenUp('whose last try meets no bucket'),
  },
  {
    what: 'an export that is made no more is said to wait',
    file: 'server/src/personal-data/exports-store.ts',
    from: "where j.name = 'export' and j.state < 'completed' and",
    to: "where j.name = 'export' and",
    noticed: givenUp('waits without a job that lives'),
  },
  {
    what: 'a staff member’s ready export still says what they wrote about a removed officer',
    file: 'server/src/personal-data/exports-store.ts',
    from: "where e.state in ('waiting', 'ready') and (",
    to: 'where false and (',
    noticed: ownData('ends with what it says of an officer'),
  },
  {
    what: 'an export of staff lives on for a week with each officer who leaves',
    file: 'server/src/personal-data/exports-store.ts',
    from: 'ends_at = coalesce(ends_at, ${ready.endsAt})',
    to: 'ends_at = ${ready.endsAt}',
    noticed: ownData('ends with what it says of an officer'),
  },
]
