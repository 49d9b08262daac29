import { cutText } from '@clear-to-post/domain/cut-text'
import { isUrgent, kinds, type Kind } from '@clear-to-post/domain/audiences'
import type { Notice } from '@clear-to-post/domain/notice'
import {
  channels as allChannels,
  whenToSend,
  type Channel,
  type QuietHours,
  type Rhythm,
} from '@clear-to-post/domain/delivery'
import type { Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { sendMails } from '../mail/actions.ts'
import { sendPush } from '../push/actions.ts'
import { addNotices, addWaiting, bringBack, type Chosen, type Recipient, type Waiting } from './store.ts'

/**
 * The one door to people: everything that anybody is told goes through it. In the panel at once; by e-mail and push as
 * each person has chosen, at once, in a digest or after quiet hours. Asked again with the same cause it tells only those
 * who were not told yet. Who is gone, shut out or out of reach of what it is about is not told. A handful of statements
 * however many people: hand over a thousand at a time. Ask before whether the caller reaches these people. Answers how
 * many were told.
 */
export const notify = (tx: Tx, notice: Notice, userIds: readonly string[], now: Date): Promise<number> =>
  asService(tx, async () => {
    if (userIds.length === 0) return 0
    const notified = await addNotices(tx, notice, userIds, now)
    const leaving = notified.flatMap((person) => departures(notice, person, now))
    await addWaiting(
      tx,
      leaving.filter(({ dueAt }) => dueAt > now),
    )
    const atOnce = (by: Channel) =>
      leaving.flatMap(({ channel, dueAt, person }) => (channel === by && dueAt <= now ? [person] : []))
    await sendMails(
      tx,
      atOnce('email').map(({ id, user_id, email, tenant_id }) => ({
        company: tenant_id ?? user_id,
        key: mailKey(id),
        to: email,
        template: 'notices',
        data: { userId: user_id, notificationIds: [id] },
      })),
    )
    const pushed = atOnce('push').map(({ user_id }) => user_id)
    if (pushed.length > 0) await sendPush(tx, { ...pushWords(notice), key: pushKey(notice.cause), userIds: pushed })
    return notified.length
  })

/** How often a kind may reach a person by each channel: by choice, else as the kind is. */
export const rhythmsOf = (kind: Kind, chosen: Chosen): Record<Channel, Rhythm> => ({
  email: chosen.email_choice ?? kinds[kind].email,
  push: (chosen.push_choice ?? kinds[kind].push) ? 'at-once' : 'never',
})

/** The quiet hours that hold a kind back for a person, if any. */
export const quietFor = (kind: Kind, { quiet_from, quiet_until }: Chosen): QuietHours | null =>
  quiet_from === null || quiet_until === null || isUrgent(kind) ? null : { from: quiet_from, until: quiet_until }

/** A notice as a device shows it; what leads out of the product is read in the panel first. */
export const pushWords = ({ title, body, cta }: Pick<Notice, 'title' | 'body' | 'cta'>) => ({
  title,
  body: body.length > 300 ? `${cutText(body, 299)}…` : body,
  url: cta?.url.startsWith('/') ? cta.url : '/panel/notifications',
})

/** The names under which one notice leaves. */
export const mailKey = (notificationId: string) => `notice:${notificationId}` as const
export const pushKey = (cause: string): string => `notice:${cause}`

/** What a step ended unread and is true again stands in the panel once more, and leaves by the channels by which it had not. */
export const notifyAgain = async (tx: Tx, ids: readonly string[], now: Date): Promise<void> => {
  if (ids.length === 0) return
  const back = await bringBack(tx, ids, now)
  const leaving = back.flatMap((one) => departures({ kind: one.kind, channels: one.unsent }, one, now))
  await addWaiting(tx, leaving)
}

/** When one notice leaves the panel for one person, by each channel. */
const departures = (
  notice: Pick<Notice, 'kind' | 'channels' | 'isAwaited'>,
  person: Recipient,
  now: Date,
): (Waiting & { person: Recipient })[] => {
  const rhythms = rhythmsOf(notice.kind, person)
  const quiet = notice.isAwaited ? null : quietFor(notice.kind, person)
  return (notice.channels ?? allChannels).flatMap((channel) => {
    // An address that nobody has shown to be theirs may be a stranger's.
    if (channel === 'email' && !person.is_confirmed) return []
    const rhythm = notice.isAwaited && rhythms[channel] !== 'never' ? 'at-once' : rhythms[channel]
    const dueAt = whenToSend(rhythm, quiet, person.time_zone, now)
    return dueAt === null ? [] : [{ notificationId: person.id, userId: person.user_id, channel, dueAt, person }]
  })
}
