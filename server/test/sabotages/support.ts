import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a flood of letters closes those of whoever wrote once',
    file: 'server/src/support/store.ts',
    from: 'order by w.of_sender desc, case',
    to: 'order by w.of_sender, case',
    noticed: ['server/src/tracking/contact.test.ts', 'a flood of letters closes its own'],
  },
]
