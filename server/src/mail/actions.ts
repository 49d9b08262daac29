import { randomUUID } from 'node:crypto'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { enqueueAllInTurn } from '../kernel/enqueue-in-turn.ts'
import { enqueue } from '../kernel/queue.ts'
import { countedOf, isAlarm, isAwaited, lastAlarm, type MailKey } from './kinds.ts'
import { addMail, addMails, mailedLately } from './store.ts'
import type { Templates } from './templates.ts'

export type { MailKey } from './kinds.ts'
export { readUnsubscription, unsubscribe, type Unsubscription } from './unsubscribe.ts'

/**
 * Writes a mail in the very transaction that makes it necessary; a job sends it. `key` says what made it necessary: a
 * second mail of the same key is not written. After `uselessAt` it is not sent any more. Of one that `isForgotten` nothing is kept
 * once it is sent or given up. Who can make it again and again is bounded by its kind (kinds.ts).
 */
export const sendMail = <Name extends keyof Templates>(
  tx: Tx,
  mail: { key: MailKey; to: string; template: Name; data: Templates[Name]; uselessAt?: Date; isForgotten?: true },
): Promise<void> =>
  asService(tx, async () => {
    const [bounded] = await withinBounds(tx, [mail])
    if (!bounded) return
    const id = randomUUID()
    const { uselessAt = null, isForgotten = false } = mail
    if (await addMail(tx, { ...bounded, id, uselessAt, isForgotten }))
      await enqueue(tx, 'mail', { mailId: id }, isAwaited(mail.key) ? { priority: 1 } : {})
  })

/**
 * The same for many mails, in a few statements; they stand behind mails that somebody waits for, and those of one company
 * (`company`, or whoever has none) keep nobody else's waiting.
 */
export const sendMails = <Name extends keyof Templates>(
  tx: Tx,
  mails: readonly { key: MailKey; to: string; template: Name; data: Templates[Name]; company: string }[],
): Promise<void> =>
  asService(tx, async () => {
    if (mails.length === 0) return
    const named = (await withinBounds(tx, mails)).map((mail) => ({ ...mail, id: randomUUID() }))
    const added = new Set(await addMails(tx, named))
    await enqueueAllInTurn(
      tx,
      'mail',
      named.filter(({ id }) => added.has(id)).map(({ id, company }) => ({ data: { mailId: id }, company })),
    )
  })

type Bounded = { key: MailKey; to: string; data: Templates[keyof Templates] }

/** Those that their kind still allows; the last one of a day says that it is. */
const withinBounds = async <Mail extends Bounded>(tx: Tx, mails: readonly Mail[]): Promise<Mail[]> => {
  const alarms = mails.filter(({ key }) => isAlarm(key)).map(({ key, to }) => ({ counted: countedOf(key), to }))
  if (alarms.length === 0) return [...mails]
  const before = new Map((await mailedLately(tx, alarms)).map(({ counted, to, n }) => [`${counted} ${to}`, n]))
  return mails.flatMap((mail) => {
    if (!isAlarm(mail.key)) return [mail]
    const count = (before.get(`${countedOf(mail.key)} ${mail.to}`) ?? 0) + 1
    if (count > mostKept.alarmsPerDay) return []
    const { data } = mail
    return count === mostKept.alarmsPerDay && 'body' in data
      ? [{ ...mail, data: { ...data, body: `${data.body}\n\n${lastAlarm(mail.key)}` } }]
      : [mail]
  })
}
