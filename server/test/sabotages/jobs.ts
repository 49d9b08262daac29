import type { Sabotage } from '../sabotage.ts'

const jobs = (test: string) => ['server/src/jobs/jobs.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'an admin of one company decides about jobs of every company',
    file: 'server/src/jobs/actions.ts',
    from: `if (!isServiceAdmin(caller)) throw refusal('tenant.service-only')`,
    to: '',
    noticed: jobs('an admin of one company neither sees'),
  },
  {
    what: 'the words of an error show whose address it was',
    file: 'server/src/jobs/redacted.ts',
    from: `'[e-mail address]'`,
    to: `'$&'`,
    noticed: jobs('an error’s words are told without addresses'),
  },
  {
    what: 'the words of an error are read to their end, however long they are',
    file: 'server/src/jobs/redacted.ts',
    from: '.slice(0, mostRead)',
    to: '',
    noticed: ['server/src/jobs/redacted.test.ts', 'of a line without an end'],
  },
]
