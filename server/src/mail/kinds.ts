import { mostKept } from '@clear-to-post/domain/most-kept'

/**
 * Every kind of mail, by what its key begins with, and what keeps somebody from making it again and again. `alarms`: what is told
 * of each change of access, to one mailbox and of one kind so often within a day; the audit log has all. `alarms of each`: the same,
 * and each whose doing it is, whose id follows the kind in the key, is counted apart. `awaited`: somebody sits before the page that
 * asks for it, so it goes before all others. Words say what else bounds it.
 */
export const mailKinds = {
  code: 'awaited',
  security: 'alarms',
  'second-factor': 'alarms',
  staff: 'alarms',
  'api-key': 'alarms',
  'api-key-revoked': 'alarms',
  // Apart from those above: whoever fills a colleague's mailbox with their company's keys silences nothing about the colleague's own.
  'company-key': 'alarms',
  // Whoever moves a webhook in a loop, or revokes key after key, silences nothing that is done in a colleague's name.
  'company-key-revoked': 'alarms of each',
  'admin-added': 'alarms of each',
  'admin-ended': 'alarms of each',
  'admin-invited': 'alarms of each',
  'webhook-added': 'alarms of each',
  'webhook-moved': 'alarms of each',
  'webhook-rotated': 'alarms of each',
  password: 'one for each code or invitation that was used',
  address: 'one for each code that was used',
  invitation: 'so many for each mailbox and company a day (domain/src/invitations.ts)',
  removal: 'one for each account',
  support: 'one for each answer, of which a question has so many (most-kept.ts)',
  surplus: 'one for each payment that is given back',
  invoice: 'one for each invoice',
  notice: 'behind all others, in turns of companies, and whoever gets it can switch it off',
  digest: 'behind all others, in turns of companies, and whoever gets it can switch it off',
} as const satisfies Record<string, string>

export type MailKind = keyof typeof mailKinds
type OfEach = { [Kind in MailKind]: (typeof mailKinds)[Kind] extends 'alarms of each' ? Kind : never }[MailKind]
/** A kind, whose doing it is where each is counted apart, and what made the mail necessary. */
export type MailKey =
  | `${OfEach}:${string}:${string}`
  | `${Exclude<MailKind, OfEach>}:${string}`
  | `${Exclude<MailKind, OfEach>} ${string}`

export const kindOfMail = (key: MailKey): MailKind => key.split(/[: ]/, 1)[0] as MailKind

export const isAwaited = (key: MailKey): boolean => mailKinds[kindOfMail(key)] === 'awaited'
export const isAlarm = (key: MailKey): boolean => mailKinds[kindOfMail(key)].startsWith('alarms')
const isOfEach = (key: MailKey): boolean => mailKinds[kindOfMail(key)] === 'alarms of each'

/** What of an alarm's key is counted within a day: its kind, and whose doing it is where each is counted apart. */
export const countedOf = (key: MailKey): string => (isOfEach(key) ? /^[^: ]+:[^: ]+/.exec(key)![0] : kindOfMail(key))

/** Said in the last one of a day, so that nobody takes the silence after it for peace. */
export const lastAlarm = (key: MailKey): string => {
  const [about, after] = isOfEach(key)
    ? [' about what one of you did', 'What they do after it today']
    : ['', 'What comes after it today']
  return `This is the ${mostKept.alarmsPerDay}th of these mails${about} within a day. ${after} is in the audit log alone.`
}
