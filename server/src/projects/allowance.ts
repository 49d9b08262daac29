import { monthAfter, monthIn, startOfMonth } from '@clear-to-post/domain/calendar'
import { allowanceOf, hasFreeVideo } from '@clear-to-post/domain/plans'
import type { Caller, Tx } from '../kernel/database.ts'
import { submitRightsOf } from '../subscriptions/actions.ts'
import { countedByMonth } from './quota.ts'
import { zoneOf } from './store.ts'

/** Whether the caller may still send in their one free video. */
export const mayUseFreeVideo = async (tx: Tx, caller: Caller, now: Date): Promise<boolean> =>
  hasFreeVideo(caller.role, await submitRightsOf(tx, caller.id, now))

/** An officer's right to submit, month by month in their own zone: this one and the next five. */
export const allowanceByMonth = async (tx: Tx, userId: string, now: Date) => {
  const rights = await submitRightsOf(tx, userId, now)
  const zone = await zoneOf(tx, userId)
  const current = monthIn(now, zone)
  const months = Array.from({ length: 6 }, (_, ahead) => monthAfter(current, ahead))
  const counted = await countedByMonth(tx, userId, rights, months)
  return months.map((month) => {
    const { held, ...use } = counted.get(month) ?? { used: 0, extras: 0, held: 0 }
    const start = startOfMonth(month, zone)
    return {
      month,
      held,
      ...allowanceOf(rights, use, { isAhead: start > now, planStops: rights.stopsBefore(start) }),
    }
  })
}
