import type { Sabotage } from '../sabotage.ts'

const exportWalls = (test: string) => ['server/test/export-walls.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a push about a company’s video is in the data of who left it',
    file: 'server/src/push/personal-data.ts',
    from: ' and not ${isInReach}',
    to: ' and false',
    noticed: exportWalls('find nothing of the old one'),
  },
]
