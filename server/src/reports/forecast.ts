import type { reports } from '@clear-to-post/contract/reports'
import type { CallReply } from '@clear-to-post/contract/call'
import { clearBy, paceOf, usualWeek, type Availability } from '@clear-to-post/domain/availability'
import { dayIn } from '@clear-to-post/domain/calendar'
import type { Caller, Tx } from '../kernel/database.ts'
import { editorsAtWork, lapsOf, openWork, takeTurn } from './store.ts'

/** When the open editing work within the caller's reach is done, at the median pace and in the editors' own hours. */
export const queueForecast = async (
  tx: Tx,
  caller: Caller,
  now: Date,
): Promise<CallReply<(typeof reports)['forecast']>> => {
  await takeTurn(tx, caller)
  const editors = await editorsAtWork(tx, caller)
  const byId = new Map<string, Availability>(
    editors.map(({ id, work_week, time_off, time_zone }) => [
      id,
      { workWeek: work_week ?? usualWeek, timeOff: time_off, timeZone: time_zone },
    ]),
  )
  const work = await openWork(tx, caller)
  const open = work.reduce((all, { videos }) => all + videos, 0)
  const pace = paceOf(
    (await lapsOf(tx, caller, new Date(now.getTime() - paceDays * 86_400_000))).map((lap) => ({
      editorId: lap.editor_id,
      startedAt: lap.started_at,
      sentAt: lap.sent_at,
    })),
    (id) => byId.get(id),
  )
  const own = (id: string) => work.find(({ editor_id: editorId }) => editorId === id)?.videos ?? 0
  const clear =
    pace === undefined
      ? null
      : clearBy(
          editors.map(({ id }) => ({ availability: byId.get(id)!, own: own(id) })),
          { open, pace, now },
        )
  const reason =
    open === 0
      ? 'nothing-open'
      : editors.length === 0
        ? 'no-editor'
        : pace === undefined
          ? 'no-pace'
          : clear === null
            ? 'too-far'
            : undefined
  return {
    open,
    editors: editors.length,
    usual: editors.filter(({ work_week: week }) => week === null).length,
    away: [...byId.values()].filter(({ timeOff, timeZone }) => {
      const today = dayIn(now, timeZone)
      return timeOff.some(({ from, to }) => from <= today && today <= to)
    }).length,
    ...(pace === undefined ? {} : { paceHours: pace / 3_600_000 }),
    ...(reason === undefined ? { clearBy: clear!.toISOString() } : { reason }),
  }
}

/** So many days back videos say what one takes. */
const paceDays = 56
