import { randomUUID } from 'node:crypto'
import { asService, type Tx } from '../db/tenant.ts'
import { enqueue } from '../jobs/queue.ts'
import { addMail } from './store.ts'
import type { Templates } from './templates.ts'

export { dropMailsTo } from './store.ts'

/**
 * Writes a mail in the very transaction that makes it necessary; a job sends it. `key` says what made it necessary: a
 * second mail of the same key is not written. After `uselessAt` it is not sent any more.
 */
export const sendMail = <Name extends keyof Templates>(
  tx: Tx,
  mail: { key: string; to: string; template: Name; data: Templates[Name]; uselessAt?: Date },
): Promise<void> =>
  asService(tx, async () => {
    const id = randomUUID()
    if (await addMail(tx, { ...mail, id, uselessAt: mail.uselessAt ?? null })) await enqueue(tx, 'mail', { mailId: id })
  })
