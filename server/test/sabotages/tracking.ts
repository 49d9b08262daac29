import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'events of pages are counted without end',
    file: 'server/src/tracking/actions.ts',
    from: 'days.count(ip, { most: most.day, windowMs: 86_400_000, now }).current <= most.day',
    to: 'true',
    noticed: ['server/src/tracking/events.test.ts', '5,000 a day'],
  },
  {
    what: 'events of pages are written to a full disk',
    file: 'server/src/tracking/actions.ts',
    from: 'hasRoom ? database.asSystem((tx) => addEvent(tx, event.data)) : undefined',
    to: 'hasRoom || true ? database.asSystem((tx) => addEvent(tx, event.data)) : undefined',
    noticed: ['server/src/kernel/written.test.ts', 'on a disk without room'],
  },
]
