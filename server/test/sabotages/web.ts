import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a device takes whatever the service calls the end of a take as all of it',
    file: 'web/app/spool/send-take.ts',
    from: 'if (take.isEnded && here >= take.safeBytes)',
    to: 'if (take.isEnded)',
    noticed: ['server/test/recording.test.ts', 'until the service has every byte'],
  },
  {
    what: 'an amount of 1,50 is read as 150',
    file: 'web/app/panel/subscriptions/money.ts',
    from: '(,\\d{3})+',
    to: '(,\\d+)+',
    noticed: ['web/app/panel/subscriptions/money.test.ts', 'one that can be read in two ways'],
  },
]
