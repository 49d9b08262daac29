import { isUrgent, kinds, type Kind } from '@clear-to-post/domain/audiences'
import {
  channels as allChannels,
  whenToSend,
  type Channel,
  type QuietHours,
  type Rhythm,
} from '@clear-to-post/domain/delivery'
import { asService, type Tx } from '../db/tenant.ts'
import { sendMails } from '../mail/actions.ts'
import { addNotices, addWaiting, type ToldPerson, type Waiting } from './store.ts'

/** Something to say to people. */
export type Notice = {
  kind: Kind
  title: string
  body: string
  /** `url`: a path of ours or an https address. */
  cta: { label: string; url: string } | null
  metadata: Record<string, unknown>
  /** Why it is said, in the product's own words (`project:<id>:<seq>`): each person is told once of one cause. */
  cause: string
  /** The project it is about. */
  about?: string | undefined
  triggerId?: string | undefined
  /** How it may leave the panel; by every channel unless said. A person's own choices narrow it further. */
  channels?: readonly Channel[] | undefined
}

/**
 * The one door to people: everything that anybody is told goes through it. In the panel at once; by e-mail and push as
 * each person has chosen, at once, in a digest or after quiet hours. Asked again with the same cause it tells only those
 * who were not told yet. Who is gone or shut out is not told. A handful of statements however many people: hand over a
 * thousand at a time. Ask before whether the caller reaches these people. Answers how many were told.
 */
export const say = (tx: Tx, notice: Notice, userIds: readonly string[], now: Date): Promise<number> =>
  asService(tx, async () => {
    if (userIds.length === 0) return 0
    const told = await addNotices(tx, notice, userIds, now)
    const leaving = told.flatMap((person) => departures(notice, person, now))
    const waiting = leaving.filter(({ dueAt }) => dueAt > now)
    const atOnce = leaving.filter(({ dueAt }) => dueAt <= now)
    await addWaiting(tx, waiting)
    await sendMails(
      tx,
      atOnce
        .filter(({ channel }) => channel === 'email')
        .map(({ person }) => ({
          key: `notice:${person.id}`,
          to: person.email,
          template: 'notices',
          data: { userId: person.user_id, notificationIds: [person.id] },
        })),
    )
    return told.length
  })

/** When and how one notice leaves the panel for one person. */
const departures = (notice: Notice, person: ToldPerson, now: Date): (Waiting & { person: ToldPerson })[] => {
  const { email, push } = kinds[notice.kind]
  const quiet: QuietHours | null =
    person.quiet_from !== null && person.quiet_until !== null && !isUrgent(notice.kind)
      ? { from: person.quiet_from, until: person.quiet_until }
      : null
  const rhythms: Record<Channel, Rhythm> = {
    email: person.email_choice ?? email,
    push: (person.push_choice ?? push) ? 'at-once' : 'never',
  }
  return (notice.channels ?? allChannels).flatMap((channel) => {
    const dueAt = whenToSend(rhythms[channel], quiet, person.time_zone, now)
    return dueAt === null ? [] : [{ notificationId: person.id, userId: person.user_id, channel, dueAt, person }]
  })
}
