import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a clip comes back to a library that is full',
    file: 'server/src/clips/actions.ts',
    from: '  if (row.removed_at !== null && !isRemoved) await requirePlace(tx, row.tenant_id, null)\n',
    to: '',
    noticed: ['server/src/clips/clips.test.ts', 'a library is full by its number of clips'],
  },
  {
    what: 'music that an editor brought is thrown away while its edit names it',
    file: 'server/src/clips/store.ts',
    from: "and a.purpose = 'cut' and a.project_id = ${project.id}",
    to: "and a.purpose = 'cut' and a.project_id = ${project.id} and false",
    noticed: ['server/src/clips/clips.test.ts', 'stays while its edit names it'],
  },
]
