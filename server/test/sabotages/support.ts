import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a question is closed over words that nobody has read',
    file: 'server/src/support/actions.ts',
    from: 'seen !== undefined && seen !== thread.last_message_id',
    to: 'false',
    noticed: ['server/src/support/support.test.ts', 'is not closed over words'],
  },
  {
    what: 'a flood of letters closes those of whoever wrote once',
    file: 'server/src/support/store.ts',
    from: 'order by w.of_sender desc, w.is_net',
    to: 'order by w.of_sender, w.is_net',
    noticed: ['server/src/tracking/contact.test.ts', 'a flood of letters closes its own'],
  },
  {
    what: 'a flood under an address closes what its owner wrote',
    file: 'server/src/support/store.ts',
    from: 'case when not w.is_net then w.of_both end desc,',
    to: '',
    noticed: ['server/src/tracking/contact.test.ts', 'a flood under somebody’s address'],
  },
]
