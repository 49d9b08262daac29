import type { CallReply, CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import { mostPaid, type reports } from '@clear-to-post/contract/reports'
import { usualWeek } from '@clear-to-post/domain/availability'
import { monthAfter, startOfMonth } from '@clear-to-post/domain/calendar'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { inHandMs, payOf, type InHand } from '@clear-to-post/domain/payroll'
import type { Caller, Tx } from '../kernel/database.ts'
import { holdSession } from '../kernel/tenancy.ts'
import { countRates, editorInReach, keepRate, paidEditors, type PaidEditorRow } from './payroll-store.ts'
import { lapsBetween } from './payroll-laps.ts'
import { takeTurn } from './store.ts'

/**
 * What each editor did in a month, and is paid for it by the rate that counted then: for each company that they were in, what they
 * did for it. Whoever edits there no more stands there with what they did, or with their rate.
 */
export const payroll = async (
  tx: Tx,
  caller: Caller,
  { month, timezone }: CallRequest<typeof reports.payroll>['query'],
): Promise<CallReply<(typeof reports)['payroll']>> => {
  await takeTurn(tx, caller)
  const [begin, end] = [startOfMonth(month, timezone), startOfMonth(monthAfter(month, 1), timezone)]
  const rows = await paidEditors(tx, caller, { begin, end, month, most: mostPaid + 1 })
  const shown = rows.slice(0, mostPaid)
  // A video that was in hand longer than this before it ended lies upon none of an earlier month that counts.
  const since = new Date(begin.getTime() - overlapDays * 86_400_000)
  const laps = await lapsBetween(tx, caller, { editorIds: shown.map(({ id }) => id), begin: since, end })
  const byEditor = Map.groupBy(laps, (lap) => `${lap.editor_id} of ${lap.tenant_id}`)
  const items = shown.map((row) => {
    const own = byEditor.get(`${row.id} of ${row.tenant_id}`) ?? []
    return present(
      row,
      own.map((lap) => ({ startedAt: lap.started_at, endedAt: lap.ended_at })),
      begin,
    )
  })
  return {
    items: items.filter((one, i) => shown[i]!.is_kept || one.approved > 0 || one.lengthMs > 0 || one.inHandMs > 0),
    isCut: rows.length > mostPaid,
  }
}

const overlapDays = 92

/** Sets what an editor is paid from a month on, or that it is nothing. Throws `account.not-found`, `rate.too-many`. */
export const setRate = async (
  tx: Tx,
  caller: Caller,
  { editorId, fromMonth, rate }: CallRequest<typeof reports.setRate>['body'],
  now: Date,
): Promise<void> => {
  await holdSession(tx, caller)
  const editor = await editorInReach(tx, caller, editorId)
  if (!editor) throw refusal('account.not-found')
  if ((await countRates(tx, editorId, fromMonth)) >= mostKept.rates) throw refusal('rate.too-many')
  await keepRate(tx, {
    personId: editorId,
    tenantId: editor.tenant_id,
    fromMonth,
    unit: rate?.unit ?? 'minute',
    amount: rate?.amount ?? null,
    currency: rate?.currency ?? 'usd',
    by: caller.id,
    now,
  })
}

const present = (row: PaidEditorRow, laps: readonly InHand[], begin: Date) => {
  const { id, name, email, approved, length_ms: lengthMs, unit, amount, currency, from_month: fromMonth } = row
  const inHand = inHandMs(
    laps,
    { workWeek: row.work_week ?? usualWeek, timeOff: row.time_off, timeZone: row.time_zone },
    begin,
  )
  const hours = row.work_week === null ? {} : { workWeek: [...row.work_week] }
  const whose = {
    ...(row.company === null ? {} : { company: row.company }),
    ...(row.has_left ? { hasLeft: true as const } : {}),
    ...(email === null ? {} : { email }),
  }
  const done = { id, name, ...whose, approved, lengthMs, inHandMs: inHand, timezone: row.time_zone, ...hours }
  if (unit === null || amount === null || currency === null || fromMonth === null) return done
  const rate = { unit, amount, currency }
  return { ...done, rate: { ...rate, fromMonth }, pay: payOf(rate, { lengthMs, inHandMs: inHand }) }
}
