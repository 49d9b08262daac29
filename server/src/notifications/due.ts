import { randomUUID } from 'node:crypto'
import { whenToSend, type Channel } from '@clear-to-post/domain/delivery'
import type { Database, Tx } from '../kernel/database.ts'
import { sendMails } from '../mail/actions.ts'
import { sendPush } from '../push/actions.ts'
import { mailKey, pushKey, pushWords, quietFor, rhythmsOf } from './notify.ts'
import { addWaiting, markDigests, takeDue, type DueNotice } from './store.ts'

/**
 * Sends what waited for its moment: a person's digest, and what quiet hours held back, each as one mail and one push.
 * Answers how many left. Rows leave the table in the transaction that writes the mail, so a kill in between changes
 * nothing, and a rerun sends nothing twice.
 */
export const sendDue = async (database: Database, now: Date): Promise<number> => {
  for (let left = 0; ;) {
    const taken = await database.asSystem(async (tx) => {
      const due = await takeDue(tx, now, peopleAtOnce)
      if (due.length === 0) return null
      const held = due.filter((one) => heldUntil(one, now) > now)
      const bundles = bundled(
        due.filter((one) => !held.includes(one) && rhythmsOf(one.kind, one)[one.channel] !== 'never'),
      )
      // A worker that was away for hours wakes nobody.
      await addWaiting(
        tx,
        held.map((one) => ({ ...one, notificationId: one.id, userId: one.user_id, dueAt: heldUntil(one, now) })),
      )
      await mailOut(
        tx,
        bundles.filter(([{ channel }]) => channel === 'email'),
      )
      for (const bundle of bundles.filter(([{ channel }]) => channel === 'push')) await pushOut(tx, bundle)
      return bundles.length
    })
    if (taken === null) return left
    left += taken
  }
}

const peopleAtOnce = 500

type Bundle = [DueNotice, ...DueNotice[]]

const heldUntil = (one: DueNotice, now: Date): Date =>
  whenToSend('at-once', quietFor(one.kind, one), one.time_zone, now) ?? now

/** One bundle for each person and channel. */
const bundled = (due: readonly DueNotice[]): Bundle[] => {
  const bundles = new Map<string, Bundle>()
  for (const one of due) {
    const name = `${one.user_id} ${one.channel satisfies Channel}`
    const found = bundles.get(name)
    if (found) found.push(one)
    else bundles.set(name, [one])
  }
  return [...bundles.values()]
}

const mailOut = async (tx: Tx, bundles: readonly Bundle[]): Promise<void> => {
  const mails = bundles.map((bundle) => ({ bundle, digest: bundle.length > 1 ? randomUUID() : null }))
  await sendMails(
    tx,
    mails.map(({ bundle: [first, ...more], digest }) => ({
      company: first.tenant_id ?? first.user_id,
      key: digest === null ? mailKey(first.id) : (`digest:${digest}` as const),
      to: first.email,
      template: 'notices',
      data: { userId: first.user_id, notificationIds: [first, ...more].map(({ id }) => id) },
    })),
  )
  await markDigests(
    tx,
    mails.flatMap(({ bundle, digest }) => (digest === null ? [] : bundle.map(({ id }) => ({ id, digest })))),
  )
}

/** Several at once are one sound. */
const pushOut = async (tx: Tx, [first, ...more]: Bundle): Promise<void> => {
  const words =
    more.length === 0
      ? pushWords(first)
      : {
          title: `${more.length + 1} new notifications`,
          body: [first, ...more]
            .map(({ title }) => title)
            .join(' · ')
            .slice(0, 300),
          url: '/panel/notifications',
        }
  await sendPush(tx, { ...words, key: pushKey(first.cause), userIds: [first.user_id] })
}
