import { Refusal } from '@clear-to-post/contract/errors'
import { monthAfter, monthIn, startOfMonth } from '@clear-to-post/domain/calendar'
import { endsByWaiting, isForAdmins, waitingDays, type WaitReason } from '@clear-to-post/domain/plans'
import { systemCaller, type Database, type Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { advance } from './advance.ts'
import { endedPosts } from '../publishing/actions.ts'
import { rightNow } from './quota.ts'
import {
  adminsOf,
  askAgain,
  nextDueProject,
  officerOfWaiting,
  postponeWaiting,
  toldOfEnd,
  type DueProject,
} from './due-store.ts'
import { inactiveNotice, waitNotice } from './waiting.ts'

/**
 * Releases and publishes what is due; each project in its own transaction. What no plan covers waits, and is not asked again
 * before that may have changed. One that fails does not hold the others back: it is thrown at the end. Answers how many
 * moved.
 */
export const runDue = async (database: Database, now: Date): Promise<number> => {
  const failed = new Map<string, unknown>()
  // Their plan is being changed: asked again with the next round.
  const postponed = new Set<string>()
  for (let moved = 0; ;) {
    let asked: string | undefined
    const outcome = await database
      .asSystem(async (tx) => {
        const due = await nextDueProject(tx, now, [...failed.keys(), ...postponed])
        asked = due?.id
        return due && (await moveDue(tx, due, now))
      })
      .catch((error: unknown) => {
        if (asked === undefined) throw error
        if (error instanceof Refusal && error.code === 'subscription.changing') postponed.add(asked)
        else failed.set(asked, error)
        return 'failed' as const
      })
    if (outcome === 'moved') moved++
    if (outcome !== undefined) continue
    if (failed.size > 0)
      throw new AggregateError(
        failed.values(),
        `Due projects that could not be moved: ${[...failed.keys()].join(', ')}`,
      )
    return moved
  }
}

const moveDue = async (tx: Tx, due: DueProject, now: Date): Promise<'moved' | 'waits'> => {
  if (due.final_video_id !== null) {
    const posts = await endedPosts(tx, due.id)
    // Its posts are on their way: the video is done when the last of them is.
    if ('nextDue' in posts) {
      await askAgain(tx, due.id, whenToAsk(posts.nextDue, now))
      return 'waits'
    }
    await advance(tx, systemCaller, due.id, 'publish', {}, now, {
      metadata: {
        outcomes: [{ destination: 'download', outcome: 'ready to download and share' }, ...posts],
        ...(posts.length > 0 ? { isPosted: true } : {}),
      },
    })
    return 'moved'
  }
  const current = monthIn(now, due.time_zone)
  const found = await rightNow(tx, due, current > due.submit_month ? current : due.submit_month, now)
  if (!('waits' in found)) {
    await advance(tx, systemCaller, due.id, 'release', {}, now)
    return 'moved'
  }
  const told = due.waits_for !== null && endsByWaiting(due.waits_for) ? await toldOfEnd(tx, due.id) : undefined
  if (told !== undefined && endsWaiting(told, found.waits, now)) {
    await advance(tx, systemCaller, due.id, 'cancel', {}, now, { metadata: { waits: found.waits } })
    return 'moved'
  }
  const nextMonth = startOfMonth(monthAfter(current, 1), due.time_zone)
  // Whoever waited beside a paused plan does not know yet that the days are counted from now on, and of a video whose officer is
  // shut out, or back, others were told.
  const knows =
    due.waits_for !== null &&
    isForAdmins(due.waits_for) === isForAdmins(found.waits) &&
    (told !== undefined || !endsByWaiting(found.waits))
  if (knows) await postponeWaiting(tx, due, found.waits, nextMonth, now)
  else await hold(tx, due, found, nextMonth, now)
  return 'waits'
}

// A post on its way ends within moments; one that was moved to a later time is not asked for all the time until then.
const whenToAsk = (nextDue: Date, now: Date): Date =>
  new Date(Math.min(Math.max(nextDue.getTime(), now.getTime() + 5000), now.getTime() + 5 * 60_000))

// What nobody pays for lies here no longer than the officer was told when it began to wait (`waitNotice`).
const endsWaiting = (told: Date, waits: WaitReason, now: Date): boolean =>
  endsByWaiting(waits) && now.getTime() > told.getTime() + waitingDays * 86_400_000

/**
 * The project waits, its timeline says why, and whoever can do something about it is told: once a day for all that wait for the
 * same month and reason. Asked again after a minute: a plan may have been bought in this very moment.
 */
const hold = async (
  tx: Tx,
  due: DueProject,
  { waits, former }: { waits: WaitReason; former: string | null },
  nextMonth: Date,
  now: Date,
): Promise<void> => {
  const askAt = new Date(Math.min(now.getTime() + 60_000, nextMonth.getTime()))
  await advance(tx, systemCaller, due.id, 'hold', { waits, askAt: askAt.toISOString() }, now, { metadata: { waits } })
  const { userIds, words, about } = isForAdmins(waits)
    ? {
        userIds: await adminsOf(tx, due.tenant_id),
        words: inactiveNotice(await officerOfWaiting(tx, due), due, now),
        // Nobody hears of it who is in another company by then.
        about: due.id,
      }
    : { userIds: [due.user_id], words: waitNotice(waits, { ...due, former }, now), about: undefined }
  if (userIds.length === 0) return
  const notice = {
    kind: 'payments' as const,
    ...words,
    about,
    cta: { label: 'Open the video', url: `/panel/projects/${due.id}` },
    metadata: { projectId: due.id, waits },
    cause: `waits ${due.user_id} ${due.submit_month} ${waits} ${now.toISOString().slice(0, 10)}${former === null ? '' : ` ${due.tenant_id}`}`,
  }
  await enqueue(tx, 'notice', { notice, userIds })
}
