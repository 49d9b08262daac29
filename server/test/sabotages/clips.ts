import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a clip comes back to a library that is full',
    file: 'server/src/clips/actions.ts',
    from: '  if (row.removed_at !== null && !isRemoved) await requirePlace(tx, row.tenant_id, null)\n',
    to: '',
    noticed: ['server/src/clips/clips.test.ts', 'a library is full by its number of clips'],
  },
]
