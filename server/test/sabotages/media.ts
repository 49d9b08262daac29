import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a recording of one key frame is looked at once',
    file: 'media/src/person.ts',
    from: 'if (areScarce)',
    to: 'if (false)',
    noticed: ['media/src/person.test.ts', 'is followed where one key frame'],
  },
  {
    what: 'the picture waits while the person goes to another place',
    file: 'media/src/shot.ts',
    from: '`trunc(${start}+${end - start}*n/${frames}+0.5)`',
    to: '`${start}`',
    noticed: ['media/src/person.test.ts', 'is followed to another place'],
  },
]
