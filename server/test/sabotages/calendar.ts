import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a calendar link is renewed without locking its person',
    file: 'server/src/calendar/actions.ts',
    from: `  await holdSession(tx, caller)
`,
    to: '',
    noticed: ['server/src/calendar/calendar.test.ts', 'an officer’s calendar shows publishing times'],
  },
  {
    what: 'a calendar is written anew for everybody who asks',
    file: 'server/src/calendar/actions.ts',
    from: 'lastTexts.get(tag) ?? write()',
    to: 'write()',
    noticed: ['server/src/calendar/calendar.test.ts', 'an unchanged calendar is written once'],
  },
]
