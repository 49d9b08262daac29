import { randomBytes } from 'node:crypto'
import type { Caller, Tx } from '../kernel/database.ts'
import { holdSession } from '../kernel/tenancy.ts'
import { writeFeed } from './feed.ts'
import { entriesOf, ownerOf, saveSecret } from './store.ts'

export { dropSecret as dropCalendarLink } from './store.ts'

/** A new link for the caller's calendar; the old one ends. Answers its secret part, 256 bits. */
export const renewLink = async (tx: Tx, caller: Caller): Promise<string> => {
  await holdSession(tx, caller)
  const secret = randomBytes(32).toString('base64url')
  await saveSecret(tx, caller.id, secret)
  return secret
}

export const calendarUrl = (publicUrl: string, secret: string): string => `${publicUrl}/calendar/${secret}.ics`

/** The calendar behind a link, as iCalendar text (RFC 5545); null for a link that is not good. As the service. */
export const calendarBehind = async (tx: Tx, secret: string, publicUrl: string, now: Date): Promise<string | null> => {
  const owner = await ownerOf(tx, secret)
  return owner ? writeFeed(await entriesOf(tx, owner.id, now), { publicUrl, timeZone: owner.time_zone }) : null
}
