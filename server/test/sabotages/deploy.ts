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
  {
    what: 'the edge lets zips, kits and exports through that say no address',
    file: 'deploy/edge/media.js',
    from: 'if (!isFile.test(path) && !isOfReader.test(path))',
    to: 'if (isOfReader.test(path)) return request\n  if (!isFile.test(path))',
    noticed: ['server/src/assets/edge.test.ts', 'the edge lets zips, kits and exports through'],
  },
  {
    what: 'the edge lets the path of a file through that is written in escapes',
    file: 'deploy/edge/media.js',
    from: "return refused(404, 'Not Found')\n  if (request.method",
    to: 'return request\n  if (request.method',
    noticed: ['server/src/assets/edge.test.ts', 'the edge refuses a path that is written in another way'],
  },
]
