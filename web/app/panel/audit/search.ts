import { auditKinds, type AuditKind } from '@clear-to-post/domain/audit'

export const auditPeriods = ['day', 'week', 'month', 'year'] as const
type Period = (typeof auditPeriods)[number]

/** What of the log lives in its address. */
export type AuditSearch = { q?: string; kind?: AuditKind; since?: Period }

export const readAuditSearch = (search: Record<string, unknown>): AuditSearch => {
  const kind = auditKinds.find((one) => one === search['kind'])
  const since = auditPeriods.find((one) => one === search['since'])
  return {
    ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(since === undefined ? {} : { since }),
  }
}

const days = { day: 1, week: 7, month: 30, year: 365 }

/** To the hour, so that a page that is drawn again asks for the same. */
export const wheresOf = ({ q, kind, since }: AuditSearch, now: Date): string[] => {
  const from = since && new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000 - days[since] * 86_400_000)
  return [
    ...(q === undefined ? [] : [`words:contains:${q}`]),
    ...(kind === undefined ? [] : [`kind:eq:${kind}`]),
    ...(from === undefined ? [] : [`at:gte:${from.toISOString()}`]),
  ]
}
