import { randomUUID } from 'node:crypto'
import type { Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { enqueueAllInTurn } from '../kernel/enqueue-in-turn.ts'
import { enqueue } from '../kernel/queue.ts'
import { addMail, addMails } from './store.ts'
import type { Templates } from './templates.ts'

export { readUnsubscription, unsubscribe, type Unsubscription } from './unsubscribe.ts'

/**
 * Writes a mail in the very transaction that makes it necessary; a job sends it. `key` says what made it necessary: a
 * second mail of the same key is not written. After `uselessAt` it is not sent any more. Of one that `isForgotten` nothing is kept
 * once it is sent or given up.
 */
export const sendMail = <Name extends keyof Templates>(
  tx: Tx,
  mail: { key: string; to: string; template: Name; data: Templates[Name]; uselessAt?: Date; isForgotten?: true },
): Promise<void> =>
  asService(tx, async () => {
    const id = randomUUID()
    const { uselessAt = null, isForgotten = false } = mail
    if (await addMail(tx, { ...mail, id, uselessAt, isForgotten })) await enqueue(tx, 'mail', { mailId: id })
  })

/**
 * The same for many mails, in a few statements; they stand behind mails that somebody waits for, and those of one company
 * (`company`, or whoever has none) keep nobody else's waiting.
 */
export const sendMails = <Name extends keyof Templates>(
  tx: Tx,
  mails: readonly { key: string; to: string; template: Name; data: Templates[Name]; company: string }[],
): Promise<void> =>
  asService(tx, async () => {
    if (mails.length === 0) return
    const named = mails.map((mail) => ({ ...mail, id: randomUUID() }))
    const added = new Set(await addMails(tx, named))
    await enqueueAllInTurn(
      tx,
      'mail',
      named.filter(({ id }) => added.has(id)).map(({ id, company }) => ({ data: { mailId: id }, company })),
    )
  })
