import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a new account reads the mails that went to its address before',
    file: 'server/src/mail/personal-data.ts',
    from: '          and t.created_at >= p.email_since)`,',
    to: '          and true)`,',
    noticed: ['server/src/personal-data/exports.test.ts', 'mails that went to an address before its account'],
  },
]
