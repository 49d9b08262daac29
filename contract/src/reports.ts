import { z } from 'zod'
import { isTimeZone } from '@clear-to-post/domain/calendar'
import { denyCategoryValues } from '@clear-to-post/domain/feedback'
import { daysOf, mostReportDays } from '@clear-to-post/domain/periods'
import { rateUnits } from '@clear-to-post/domain/payroll'
import { WorkWeek } from './availability.ts'
import { call } from './call.ts'
import { Month } from './projects.ts'

/** What is counted of videos. A step that was undone counts nowhere. */
export const Figures = z.object({
  /** Videos that were sent in. */
  sentIn: z.number().int(),
  /** Videos that were approved for the first time, and those of them of which no cut was denied before. */
  approved: z.number().int(),
  firstPass: z.number().int(),
  /** Of the approved ones, those with a promise, and those that were there by then. */
  promised: z.number().int(),
  onTime: z.number().int(),
  /** Cuts that were denied, changes that were asked for, videos that were canceled. */
  denied: z.number().int(),
  revisions: z.number().int(),
  canceled: z.number().int(),
  /** How long the approved videos are together, in milliseconds. */
  lengthMs: z.number().int(),
  /** Hours from the queue to the first approval, and what was promised: medians. Absent when nothing was approved. */
  turnaroundHours: z.number().optional(),
  promisedHours: z.number().optional(),
})
export type Figures = z.infer<typeof Figures>

/** All in the currency's smallest unit, by the day of the payment. */
export const Money = z.object({
  /** What was paid by card or another way at once, and by invoice; an invoice that was paid by card stands in both. */
  paid: z.number().int(),
  invoiced: z.number().int(),
  /** Payments that failed, and what they were about. */
  failed: z.number().int(),
  failedPrice: z.number().int(),
  /** What was given back of the payments of this time, to the card or as credit, and what banks took back. */
  wentBack: z.number().int(),
})
export type Money = z.infer<typeof Money>

const Day = z.iso.date()
const span = {
  /** Days in `timezone`; the last one counts, too. */
  from: Day,
  to: Day,
  timezone: z.string().max(64).refine(isTimeZone, 'Name an IANA time zone such as America/Chicago'),
  tenantId: z.uuid().optional(),
}
const days = { ...span, userId: z.uuid().optional() }
const period = { ...days, editorId: z.uuid().optional() }
const isPeriod = ({ from, to }: { from: string; to: string }) => {
  const days = daysOf(from, to)
  return days >= 1 && days <= mostReportDays
}
const needPeriod = { message: `Choose up to ${mostReportDays} days, the first one first`, path: ['to'] }

export const reportParts = ['editor', 'company', 'officer', 'product'] as const
/** So many rows stand in a report by editor, company, officer or product; who has most of them comes first. */
export const mostParts = 100

/** So many editors stand in a payroll. */
export const mostPaid = 200

const Rate = z.strictObject({
  unit: z.enum(rateUnits),
  /** In the currency's smallest unit, for each minute or hour. */
  amount: z.number().int().min(1).max(10_000_000),
  currency: z.string().regex(/^[a-z]{3}$/, 'Write a currency of three small letters, such as usd'),
})

/**
 * What an editor did in a month for the company that they were in, whatever they are by now, and what it is worth by their rate there.
 * Whoever was moved within the month has a row for each company, of which each reads its own.
 */
export const PaidEditor = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Absent where they are in a company now that the caller does not reach, or were removed. */
  email: z.string().optional(),
  /** Absent: they worked for the service itself. */
  company: z.string().optional(),
  /** They are somewhere else now, or were removed: what they did before stands, and no rate is set any more. */
  hasLeft: z.literal(true).optional(),
  /** First approvals, and how long the approved videos are together. */
  approved: z.number().int(),
  lengthMs: z.number().int(),
  /**
   * How long they had videos in hand within their own hours, of what ended in the month: it was sent or handed over, or they were moved,
   * disabled, removed or given another role. At the same time counts once. At most 8 hours of a day and 40 of a week count.
   */
  inHandMs: z.number().int(),
  /**
   * Their hours as they are set now, or were when they left, by the clocks of `timezone`, and by which hours in hand are counted;
   * absent: the usual week's.
   */
  workWeek: WorkWeek.optional(),
  timezone: z.string(),
  /** The rate that counts in the month, and the pay, both in the currency's smallest unit. Absent without a rate. */
  rate: Rate.extend({ fromMonth: z.string() }).optional(),
  pay: z.number().int().optional(),
})
export type PaidEditor = z.infer<typeof PaidEditor>

export const reports = {
  videos: call({
    method: 'GET',
    path: '/reports/videos/',
    summary: 'How videos went in a period: counts, turnaround, promises, why cuts were denied, officers',
    access: 'report.read',
    query: z.strictObject(period).refine(isPeriod, needPeriod),
    returns: z.object({
      step: z.enum(['day', 'week', 'month']),
      /** A point for each step, by the day with which it begins. */
      points: z.array(Figures.extend({ from: Day })).max(40),
      total: Figures,
      /** As many days before. */
      before: Figures,
      /** Why cuts were denied: how often each category was named. */
      categories: z.array(z.object({ category: z.enum(denyCategoryValues), count: z.number().int() })).max(20),
      /** What they scored, the worst first. `low`: with 5 or less. */
      criteria: z
        .array(
          z.object({
            id: z.string(),
            label: z.string(),
            count: z.number().int(),
            low: z.number().int(),
            average: z.number(),
          }),
        )
        .max(50),
      /**
       * Who sent in a video in the period; who did so for the first time; and who did in as many days before, and no more. Absent
       * when an editor is asked for.
       */
      officers: z.object({ active: z.number().int(), fresh: z.number().int(), lost: z.number().int() }).optional(),
    }),
    refuses: [],
  }),
  parts: call({
    method: 'GET',
    path: '/reports/parts/',
    summary: 'The same by editor, company, officer or product; those with most videos first',
    access: 'report.read',
    query: z.strictObject({ ...period, by: z.enum(reportParts) }).refine(isPeriod, needPeriod),
    returns: z.object({
      /** Without an id: videos of officers without a company. By product `productId` stands for it; without one: on no plan. */
      items: z
        .array(Figures.extend({ id: z.uuid().nullable(), productId: z.string().max(200).optional(), name: z.string() }))
        .max(mostParts),
      /** More have figures than stand here. */
      isCut: z.boolean(),
    }),
    refuses: [],
  }),
  lost: call({
    method: 'GET',
    path: '/reports/lost/',
    summary: 'Officers who sent in videos in as many days before the period and none in it; who sent most first',
    access: 'report.read',
    query: z.strictObject(days).refine(isPeriod, needPeriod),
    returns: z.object({
      items: z
        .array(
          z.object({
            id: z.uuid(),
            name: z.string(),
            company: z.string().optional(),
            videos: z.number().int(),
            lastSentIn: z.iso.datetime(),
          }),
        )
        .max(mostParts),
      isCut: z.boolean(),
    }),
    refuses: [],
  }),
  forecast: call({
    method: 'GET',
    path: '/reports/forecast/',
    summary: 'When the open editing work is done, at the median pace and in the editors’ own hours',
    access: 'report.read',
    returns: z.object({
      /** Videos that editors have to finish or begin. */
      open: z.number().int(),
      /** Who may edit them; of them, who said no hours, and who has a day off today. */
      editors: z.number().int(),
      usual: z.number().int(),
      away: z.number().int(),
      /** Hours of their editor that a video takes: the median of eight weeks. Absent when none was sent to approval. */
      paceHours: z.number().optional(),
      clearBy: z.iso.datetime().optional(),
      /** Why there is no `clearBy`. */
      reason: z.enum(['nothing-open', 'no-editor', 'no-pace', 'too-far']).optional(),
    }),
    refuses: [],
  }),
  money: call({
    method: 'GET',
    path: '/reports/money/',
    summary: 'What came in in a period, what failed and what went back of it, and what the running plans are worth now',
    access: 'report.money',
    query: z.strictObject(span).refine(isPeriod, needPeriod),
    returns: z.object({
      step: z.enum(['day', 'week', 'month']),
      currencies: z
        .array(z.object({ currency: z.string(), points: z.array(Money.extend({ from: Day })).max(40), total: Money }))
        .max(20),
      /** Running plans by product, interval and currency. */
      plans: z
        .array(
          z.object({
            product: z.string(),
            interval: z.enum(['month', 'year']),
            currency: z.string(),
            running: z.number().int(),
            /** Of them, those of which a payment is owed. */
            owing: z.number().int(),
            seats: z.number().int(),
            /** What they cost together in each interval. */
            price: z.number().int(),
          }),
        )
        .max(100),
    }),
    refuses: [],
  }),
  payroll: call({
    method: 'GET',
    path: '/reports/payroll/',
    summary: 'What each editor did in a month, and what it is worth by the rate that counted then',
    access: 'report.payroll',
    query: z.strictObject({ month: Month, timezone: span.timezone }),
    returns: z.object({ items: z.array(PaidEditor).max(mostPaid), isCut: z.boolean() }),
    refuses: [],
  }),
  setRate: call({
    method: 'PUT',
    path: '/reports/rates/',
    summary:
      'What an editor is paid from a month on, for a minute of approved video or an hour in hand; earlier months stay',
    access: 'report.payroll',
    needsFreshSignIn: true,
    body: z.strictObject({
      editorId: z.uuid(),
      fromMonth: Month,
      /** Null: from then on there is none. */
      rate: Rate.nullable(),
    }),
    returns: z.object({}),
    refuses: ['account.not-found', 'rate.too-many'],
  }),
}
