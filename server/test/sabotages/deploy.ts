import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'the edge lets an address through that has ended',
    file: 'deploy/edge/media.js',
    from: 'if (!(left > 0 && left <= mostSeconds))',
    to: 'if (!(left <= mostSeconds))',
    noticed: ['server/src/assets/edge.test.ts', 'until it ends'],
  },
  {
    what: 'the edge lets through an address that says more than the service’s',
    file: 'deploy/edge/media.js',
    from: '!isOurs[said] || ',
    to: '',
    noticed: ['server/src/assets/edge.test.ts', 'of thousands of changed addresses'],
  },
]
