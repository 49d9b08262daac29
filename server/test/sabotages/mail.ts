import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'an ADMIN who revokes key after key of the company silences what a colleague’s session revokes',
    file: 'server/src/mail/kinds.ts',
    from: "'company-key-revoked': 'alarms of each'",
    to: "'company-key-revoked': 'alarms'",
    noticed: ['server/src/api-keys/api-keys.test.ts', 'a colleague hears of one that another revoked'],
  },
  {
    what: 'an ADMIN who moves a webhook in a loop silences what is done in a colleague’s name',
    file: 'server/src/mail/kinds.ts',
    from: 'isOfEach(key) ? /^',
    to: 'false ? /^',
    noticed: ['server/src/webhooks/webhooks.test.ts', 'colleagues hear that it was moved in another’s name'],
  },
  {
    what: 'a mail that was believed lost and was not taken waits for ever',
    file: 'server/src/mail/jobs.ts',
    from: "if (claimed && (await takeBackMail(tx, mailId, message))) await enqueue(tx, 'mail', { mailId })",
    to: 'if (claimed) await takeBackMail(tx, mailId, message)',
    noticed: ['server/src/mail/mail.test.ts', 'goes again once the mail server says'],
  },
  {
    what: 'a mail that was held back after a restore leaves all the same',
    file: 'server/src/mail/store.ts',
    from: " and state = 'unknown' and error is null",
    to: " and state = 'unknown'",
    noticed: ['server/src/mail/mail.test.ts', 'held back after a restore stays so'],
  },
  {
    what: 'a new account reads the mails that went to its address before',
    file: 'server/src/mail/personal-data.ts',
    from: '          and t.created_at >= p.email_since)`,',
    to: '          and true)`,',
    noticed: ['server/src/personal-data/exports.test.ts', 'mails that went to an address before its account'],
  },
  {
    what: 'a company’s logo is opened while a connection to the database is held',
    file: 'server/src/mail/jobs.ts',
    from: 'await wordsOf(tx, row, source) : null }',
    to: 'await wordsOf(tx, row, source).then(async (said) => (said?.branding && (await withLogo(said.branding)), said)) : null }',
    noticed: ['server/src/notifications/notify.test.ts', 'a mail has the company’s branding'],
  },
  {
    what: 'who changes access in a loop fills a mailbox',
    file: 'server/src/mail/actions.ts',
    from: 'if (count > mostKept.alarmsPerDay) return []',
    to: '',
    noticed: ['server/src/webhooks/webhooks.test.ts', 'an ADMIN who renews a secret in a loop'],
  },
  {
    what: 'a code that somebody waits for stands behind mails that nobody waits for',
    file: 'server/src/mail/actions.ts',
    from: 'isAwaited(mail.key) ? { priority: 1 } : {}',
    to: '{}',
    noticed: ['server/src/mail/mail.test.ts', 'a code that somebody waits for goes before'],
  },
]
