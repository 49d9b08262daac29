import type { Sabotage } from '../sabotage.ts'

const exportWalls = (test: string) => ['server/test/export-walls.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'whoever left a company finds its notes in their own data',
    file: 'server/src/notes/personal-data.ts',
    from: ' and ${servedBy(personId, sql`t.tenant_id`)}',
    to: '',
    noticed: exportWalls('of no table that is given'),
  },
  {
    what: 'a deleted note is in the data of who wrote it',
    file: 'server/src/notes/personal-data.ts',
    from: ' and t.deleted_at is null',
    to: '',
    noticed: exportWalls('a note that was deleted'),
  },
  {
    what: 'files in notes about a removed officer stay with who sent them',
    file: 'server/src/notes/personal-data.ts',
    from: 'traces.assetIds.push(...(await discardUnusedAmong(tx, files)))',
    to: 'void files',
    noticed: ['server/src/notes/removed-officer.test.ts', 'go with the notes'],
  },
  {
    what: 'a file that was taken out of a note about a removed officer stays',
    file: 'server/src/notes/store.ts',
    from: "and e.type in ('asset-added', 'asset-removed')`",
    to: 'and false`',
    noticed: ['server/src/notes/removed-officer.test.ts', 'go with the notes'],
  },
  {
    what: 'the history of a note keeps the former address of who changed it',
    file: 'server/src/notes/store.ts',
    from: 'values (${id}, ${now}, ${type}, ${caller.id}, ${email}',
    to: 'values (${id}, ${now}, ${type}, null, ${email}',
    noticed: ['server/test/former-address.test.ts', 'that a removed person had before'],
  },
  {
    what: 'notes about a person hold any number of files',
    file: 'server/src/notes/actions.ts',
    from: 'files > mostKept.noteFiles',
    to: 'files > Infinity',
    noticed: ['server/src/notes/notes.test.ts', 'most numbers of notes, letters and files'],
  },
]
