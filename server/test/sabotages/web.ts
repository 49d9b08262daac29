import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a device takes whatever the service calls the end of a take as all of it',
    file: 'web/app/spool/send-take.ts',
    from: 'if (take.isEnded && here >= take.safeBytes)',
    to: 'if (take.isEnded)',
    noticed: ['server/test/recording.test.ts', 'until the service has every byte'],
  },
]
