import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Caller, Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { holdSession } from '../kernel/tenancy.ts'
import { feedFormat, writeFeed } from './feed.ts'
import { entriesOf, ownerOf, saveSecret, type Entry } from './store.ts'

export { dropSecret as dropCalendarLink } from './store.ts'

/** A new link for the caller's calendar; the old one ends. Answers its secret part, 256 bits. */
export const renewLink = async (tx: Tx, caller: Caller): Promise<string> => {
  await holdSession(tx, caller)
  const secret = randomBytes(32).toString('base64url')
  await saveSecret(tx, caller.id, secret)
  // Whoever finds a session open cannot keep reading unseen. A cause of its own each time: the link itself is in no row.
  await enqueue(tx, 'notice', {
    notice: {
      kind: 'news',
      title: 'Your calendar has a new link',
      body: 'Whoever has it reads when your videos are due or go out, and the link before has ended. Was it not you? Remove it in your profile, and choose a new password.',
      cta: { label: 'Open my profile', url: '/panel/profile' },
      metadata: {},
      cause: `calendar link ${caller.id} ${randomUUID()}`,
    },
    userIds: [caller.id],
  })
  return secret
}

export const calendarUrl = (publicUrl: string, secret: string): string => `${publicUrl}/calendar/${secret}.ics`

/**
 * A calendar that need not be written yet: the same `tag` stands for the same text, to the letter, in every process of this
 * code.
 */
export type Feed = { tag: string; write: () => string }

/** The calendar behind a link, as iCalendar text (RFC 5545); null for a link that is not good. As the service. */
export const calendarBehind = async (tx: Tx, secret: string, publicUrl: string, now: Date): Promise<Feed | null> => {
  const owner = await ownerOf(tx, secret)
  return owner ? feedOf(await entriesOf(tx, owner.id, now), { publicUrl, timeZone: owner.time_zone }) : null
}

const feedOf = (entries: readonly Entry[], place: { publicUrl: string; timeZone: string }): Feed => {
  const state = JSON.stringify([feedFormat, place.publicUrl, place.timeZone, entries])
  const tag = createHash('sha256').update(state).digest('base64url').slice(0, 27)
  return { tag, write: () => kept(tag, () => writeFeed(entries, place)) }
}

/**
 * Texts that were written last, the oldest first: what asks again without naming its tag, as some programs do, is given the
 * text of before.
 */
const lastTexts = new Map<string, string>()
const mostTexts = 20

const kept = (tag: string, write: () => string): string => {
  const text = lastTexts.get(tag) ?? write()
  lastTexts.delete(tag)
  lastTexts.set(tag, text)
  for (const oldest of lastTexts.keys()) if (lastTexts.size > mostTexts) lastTexts.delete(oldest)
  return text
}
