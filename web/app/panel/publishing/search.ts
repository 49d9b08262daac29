/** What a network sends back in the address of the connections page. */
export type ConnectionsSearch = { state?: string; code?: string; error?: string }

export const readConnectionsSearch = (search: Record<string, unknown>): ConnectionsSearch =>
  Object.fromEntries(
    (['state', 'code', 'error'] as const).flatMap((name) =>
      // A code of digits alone is read as a number.
      ['string', 'number'].includes(typeof search[name]) ? [[name, String(search[name])]] : [],
    ),
  )

export const calendarViews = ['month', 'week', 'list'] as const
export type CalendarView = (typeof calendarViews)[number]
/** What of the calendar lives in its address: a day of what is shown, and how. */
export type CalendarSearch = { day?: string; view?: CalendarView }

export const readCalendarSearch = (search: Record<string, unknown>): CalendarSearch => {
  const view = calendarViews.find((one) => one === search['view'])
  const day = typeof search['day'] === 'string' && /^\d{4}-\d\d-\d\d$/.test(search['day']) ? search['day'] : undefined
  return { ...(view ? { view } : {}), ...(day ? { day } : {}) }
}
