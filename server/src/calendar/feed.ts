import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import type { Entry } from './store.ts'

/** One more with every change of what is written here: programs keep a text while its tag, which this is a part of, stays. */
export const feedFormat = 1

/**
 * Entries as an iCalendar feed. Times are in UTC, which every calendar shows in its reader's zone; the same entries make
 * the same text, to the letter.
 */
export const writeFeed = (
  entries: readonly Entry[],
  { publicUrl, timeZone }: { publicUrl: string; timeZone: string },
): string => {
  const feed = ical({
    name: 'Clear to Post',
    prodId: { company: 'Clear to Post', product: 'Calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 60 * 60,
  })
  for (const { kind, project_id, title, at, is_certain, seq, modified_at } of entries) {
    const address = `${publicUrl}/panel/projects/${project_id}`
    const { before, after, says } = words[kind]
    const event = feed.createEvent({
      id: `${kind}-${project_id}@${new URL(publicUrl).hostname}`,
      start: new Date(at.getTime() - before * minute),
      end: new Date(at.getTime() + after * minute),
      summary: says(title),
      description: address,
      url: address,
      status: is_certain ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE,
      // Nobody is busy by it.
      transparency: ICalEventTransparency.TRANSPARENT,
      sequence: seq,
      stamp: modified_at,
      lastModified: modified_at,
    })
    event.createAlarm({ type: ICalAlarmType.display, trigger: 3600, description: says(title) })
  }
  // Properties stand before what is in a calendar (RFC 5545, section 3.6); the library would write this one last.
  return feed.toString().replace('\r\nX-WR-CALNAME:', `\r\nX-WR-TIMEZONE:${timeZone}\r\nX-WR-CALNAME:`)
}

const minute = 60_000

/** A video goes out at a moment; work ends at one. In minutes around it. */
const words = {
  publish: { before: 0, after: 15, says: (title: string) => `Goes out: ${title}` },
  due: { before: 30, after: 0, says: (title: string) => `Due: ${title}` },
}
