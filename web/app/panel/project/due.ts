import type { Project } from '@clear-to-post/contract/projects'
import { agoWords, lengthWords, monthWords, whenWords } from '../../times.ts'
import { messages } from './messages.ts'
import { isForAdmins } from '@clear-to-post/domain/plans'
import { Status } from '@clear-to-post/domain/workflow'

export type Due = { words: string; tone: 'plain' | 'soon' | 'late' }

/** The one time that counts for a project in its status, in a few words for cards and rows; null when none does. */
export const dueOf = (project: Project, now = new Date()): Due | null => {
  const { status, dueBy, publishAt, submitMonth, modified, waitsFor } = project
  if (status === Status.completed || status === Status.canceled)
    return { words: agoWords(modified, now), tone: 'plain' }
  if (waitsFor) return { words: isForAdmins(waitsFor) ? messages.waitsForOfficer : messages.waitsShort, tone: 'soon' }
  if (status === Status.scheduled)
    return { words: publishAt ? whenWords(publishAt, now) : monthWords(submitMonth), tone: 'plain' }
  if (!dueBy) return null
  const left = Date.parse(dueBy) - now.getTime()
  if (left < 0) return { words: messages.late(shortLength(-left / 1000)), tone: 'late' }
  return { words: whenWords(dueBy, now), tone: left < 3 * 3_600_000 ? 'soon' : 'plain' }
}

/** How long it has been in its status: since the step that brought it there. */
export const sinceOf = ({ timeline, status, modified }: Project): string => {
  const items = timeline.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
  let since = items[0]?.timestamp ?? modified
  for (const item of items) {
    if (item.status !== status) break
    since = item.timestamp
  }
  return since
}

/** `40 min`, `3 h`, `5 days`: one unit is enough for an age. */
export const shortLength = (seconds: number): string =>
  seconds >= 172_800
    ? messages.days(Math.floor(seconds / 86_400))
    : seconds >= 3600
      ? messages.hours(Math.floor(seconds / 3600))
      : lengthWords(Math.max(60, seconds))

export const ageOf = (project: Project, now = new Date()): string =>
  shortLength((now.getTime() - Date.parse(sinceOf(project))) / 1000)
