import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'scripts hold letters without end',
    file: 'server/src/scripts/actions.ts',
    from: 'kept.letters + more.letters > mostKept.scriptLetters',
    to: 'kept.letters + more.letters < 0',
    noticed: ['server/src/scripts/scripts.test.ts', 'a million letters'],
  },
  {
    what: 'tags of scripts are not counted',
    file: 'server/src/scripts/store.ts',
    from: ` + length(array_to_string(s.tags, ''))`,
    to: '',
    noticed: ['server/src/scripts/scripts.test.ts', 'tags count among its letters'],
  },
]
