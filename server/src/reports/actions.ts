import { mostParts, type reports } from '@clear-to-post/contract/reports'
import type { CallReply, CallRequest } from '@clear-to-post/contract/call'
import { denyCategoryValues } from '@clear-to-post/domain/feedback'
import { boundsOf, periodBefore, stepOf, stepsOf } from '@clear-to-post/domain/periods'
import type { Caller, Tx } from '../kernel/database.ts'
import {
  categoriesOf,
  criteriaOf,
  figuresBetween,
  figuresBy,
  lostOfficers,
  officersOf,
  takeTurn,
  type FiguresRow,
} from './store.ts'

export { rolesAt } from './store.ts'

type Asked = CallRequest<typeof reports.lost>['query']

/** How videos went in a period, and in as many days before. */
export const videosReport = async (
  tx: Tx,
  caller: Caller,
  asked: CallRequest<typeof reports.videos>['query'],
): Promise<CallReply<(typeof reports)['videos']>> => {
  await takeTurn(tx, caller)
  const { from, to, timezone } = asked
  const bounds = boundsOf(from, to, timezone)
  const earlier = boundsBefore(asked)
  const found = new Map((await figuresBetween(tx, caller, bounds, asked)).map((row) => [row.place, present(row)]))
  const categories = await categoriesOf(tx, caller, bounds, asked)
  return {
    step: stepOf(from, to),
    points: stepsOf(from, to).map((day, i) => ({ ...(found.get(i + 1) ?? nothing), from: day })),
    total: found.get(0) ?? nothing,
    before: present((await figuresBetween(tx, caller, earlier, asked)).find(({ place }) => place === 0)!),
    categories: denyCategoryValues
      .map((category) => ({ category, count: categories.find((one) => one.category === category)?.count ?? 0 }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count),
    criteria: await criteriaOf(tx, caller, bounds, asked),
    ...(asked.editorId === undefined ? { officers: await officersOf(tx, caller, threeOf(asked), asked) } : {}),
  }
}

/** The figures of each editor, company, officer or product in a period. */
export const partsReport = async (
  tx: Tx,
  caller: Caller,
  asked: CallRequest<typeof reports.parts>['query'],
): Promise<CallReply<(typeof reports)['parts']>> => {
  await takeTurn(tx, caller)
  const bounds = boundsOf(asked.from, asked.to, asked.timezone)
  const rows = await figuresBy(tx, caller, [bounds[0]!, bounds.at(-1)!], asked, { by: asked.by, most: mostParts + 1 })
  return {
    items: rows.slice(0, mostParts).map((row) => ({
      ...present(row),
      id: asked.by === 'product' ? null : row.id,
      ...(asked.by === 'product' && row.id !== null ? { productId: row.id } : {}),
      name: row.name ?? '',
    })),
    isCut: rows.length > mostParts,
  }
}

/** Who sent videos in before the period and none in it. */
export const lostReport = async (
  tx: Tx,
  caller: Caller,
  asked: Asked,
): Promise<CallReply<(typeof reports)['lost']>> => {
  await takeTurn(tx, caller)
  const rows = await lostOfficers(tx, caller, threeOf(asked), asked, mostParts + 1)
  return {
    items: rows.slice(0, mostParts).map(({ id, name, company, videos, last }) => ({
      id,
      name: name ?? '',
      ...(company === null ? {} : { company }),
      videos,
      lastSentIn: last.toISOString(),
    })),
    isCut: rows.length > mostParts,
  }
}

const boundsBefore = ({ from, to, timezone }: Asked): [Date, Date] => {
  const before = periodBefore(from, to)
  const bounds = boundsOf(before.from, before.to, timezone)
  return [bounds[0]!, bounds.at(-1)!]
}

const threeOf = (asked: Asked): [Date, Date, Date] => [
  ...boundsBefore(asked),
  boundsOf(asked.from, asked.to, asked.timezone).at(-1)!,
]

const present = (row: FiguresRow) => ({
  sentIn: row.sent_in,
  approved: row.approved,
  firstPass: row.first_pass,
  promised: row.promised,
  onTime: row.on_time,
  denied: row.denied,
  revisions: row.revisions,
  canceled: row.canceled,
  lengthMs: row.length_ms,
  ...(row.turnaround_hours === null ? {} : { turnaroundHours: row.turnaround_hours }),
  ...(row.promised_hours === null ? {} : { promisedHours: row.promised_hours }),
})

const nothing = {
  sentIn: 0,
  approved: 0,
  firstPass: 0,
  promised: 0,
  onTime: 0,
  denied: 0,
  revisions: 0,
  canceled: 0,
  lengthMs: 0,
}
