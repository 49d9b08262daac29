import { Status, statusValues } from '@clear-to-post/domain/workflow'

/** What of the open work needs a look first. */
export const triages = ['late', 'today', 'unassigned'] as const
export type Triage = (typeof triages)[number]

/** The same projects, seen in three ways. */
export const boardViews = ['board', 'list', 'calendar'] as const
export type BoardView = (typeof boardViews)[number]

/** Orders of the list beside the one that fits what it shows. */
export const listOrders = [
  'dueBy:asc',
  'modified:desc',
  'modified:asc',
  'submitTimestamp:desc',
  'submitTimestamp:asc',
] as const
export type ListOrder = (typeof listOrders)[number]

/** Neither finished nor canceled, and not waiting for its month. */
export const openWork = [
  Status.submitted,
  Status.inProgress,
  Status.waitingApproval,
  Status.denied,
  Status.revisioning,
] as const

/** The orders that say something of videos in this status, or of all; only of open work a time is promised. */
export const ordersOf = (status: Status | undefined): readonly ListOrder[] =>
  listOrders.filter((order) =>
    order === 'dueBy:asc'
      ? status === undefined || openWork.some((open) => open === status)
      : status !== undefined || order !== 'modified:desc',
  )

/** What of the board lives in its address. Without a view it is the board, on phones the list. */
export type BoardSearch = {
  view?: BoardView
  /** A day of the month that the calendar shows. */
  day?: string
  q?: string
  status?: Status
  editor?: string
  tenant?: string
  triage?: Triage
  order?: ListOrder
}

export const readBoardSearch = (search: Record<string, unknown>): BoardSearch => {
  const status = statusValues.find((one) => one === search['status'] || String(one) === search['status'])
  const view = boardViews.find((one) => one === search['view'])
  const triage = triages.find((one) => one === search['triage'])
  const order = listOrders.find((one) => one === search['order'])
  return {
    ...(triage === undefined ? {} : { triage }),
    ...(order === undefined ? {} : { order }),
    ...(typeof search['tenant'] === 'string' && /^[\da-f-]{36}$/.test(search['tenant'])
      ? { tenant: search['tenant'] }
      : {}),
    ...(view === undefined ? {} : { view }),
    ...(typeof search['day'] === 'string' && /^\d{4}-(0[1-9]|1[0-2])-\d\d$/.test(search['day'])
      ? { day: search['day'] }
      : {}),
    ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
    ...(status === undefined ? {} : { status }),
    ...(typeof search['editor'] === 'string' && /^[\da-f-]{36}$/.test(search['editor'])
      ? { editor: search['editor'] }
      : {}),
  }
}
