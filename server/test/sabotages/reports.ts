import type { Sabotage } from '../sabotage.ts'

const reports = (test: string) => ['server/src/reports/reports.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'money that somebody paid before they came to a company counts in its report',
    file: 'server/src/reports/money.ts',
    from: '        and ${paidInReach(caller)}\n',
    to: '',
    noticed: ['server/test/paid-before.test.ts', 'those that were made while they were in it'],
  },
  {
    what: 'a late video counts as on time',
    file: 'server/src/reports/store.ts',
    from: 'count(*) filter (where not f.is_late)',
    to: 'count(f.is_late)',
    noticed: reports('a report counts, step by step and as a whole, what the ledger tells'),
  },
  {
    what: 'an officer who was lost counts as active',
    file: 'server/src/reports/store.ts',
    from: 'group by f.user_id having max(f.at) < ${begin}',
    to: 'group by f.user_id having max(f.at) >= ${begin}',
    noticed: reports(
      'reports by editor, company, officer and product are the same figures in parts, and lost officers are named',
    ),
  },
  {
    what: 'a video counts for whichever product its subscription has now',
    file: 'server/src/reports/store.ts',
    from: 'join plan l on l.id = p.paid_plan where',
    to: 'join subscription s on s.id = p.paid_by join plan l on l.id = s.plan_id where',
    noticed: reports(
      'reports by editor, company, officer and product are the same figures in parts, and lost officers are named',
    ),
  },
  {
    what: 'a refund that was refused counts as given back',
    file: 'server/src/reports/money.ts',
    from: `or (f.kind = 'credit' and f.state <> 'refused')`,
    to: `or f.kind = 'credit'`,
    noticed: [
      'server/src/reports/money.test.ts',
      'money of a period is what its payments, refunds and disputes say, in each currency',
    ],
  },
  {
    what: 'a company reads in which company an officer is now, while row-level security sleeps',
    file: 'server/src/reports/store.ts',
    from: 'where p.id = s.user_id and ${tenantFilter(caller, sql`p.tenant_id`)}',
    to: 'where p.id = s.user_id',
    noticed: ['server/test/walls-of-names.test.ts', 'not in which company they are'],
  },
  {
    what: 'a company sees what another one pays',
    file: 'server/src/reports/payroll-store.ts',
    from: 'where r.person_id = d.person_id and r.tenant_id is not distinct from d.tenant_id',
    to: 'where r.person_id = d.person_id',
    noticed: ['server/src/reports/payroll-moves.test.ts', 'a rate of a company is no other one’s'],
  },
  {
    what: 'a step that was undone is paid',
    file: 'server/src/reports/payroll-store.ts',
    from: 'e.at < ${end} and ${isNotUndone(sql`e`)}',
    to: 'e.at < ${end}',
    noticed: ['server/src/reports/payroll.test.ts', 'an hour in hand is paid'],
  },
  {
    what: 'whoever began a video is paid until somebody else sends it',
    file: 'server/src/reports/payroll-store.ts',
    from: "(${event}.verb = 'assign' and",
    to: "(${event}.verb = 'assigned' and",
    noticed: ['server/src/reports/payroll.test.ts', 'a video that is handed over in progress'],
  },
  {
    what: 'a rate counts for months before it',
    file: 'server/src/reports/payroll-store.ts',
    from: 'and r.from_month <= ${month}',
    to: '',
    noticed: ['server/src/reports/payroll.test.ts', 'an hour in hand is paid'],
  },
  {
    what: 'the company that an editor is moved to pays for what was before',
    file: 'server/src/reports/payroll-laps.ts',
    from: 'const stay = stayAt(own, lap.ended_at)',
    to: 'const stay = own.find(({ until }) => until === null)',
    noticed: ['server/src/reports/payroll-moves.test.ts', 'an editor who is moved within a month'],
  },
  {
    what: 'a cut is paid by the company where its editor is once it is approved',
    file: 'server/src/reports/payroll-store.ts',
    from: 'wasThere(sql`coalesce(c.sent_at, f.at)`)',
    to: 'wasThere(sql`f.at`)',
    noticed: ['server/src/reports/payroll-moves.test.ts', 'an editor who is moved within a month'],
  },
  {
    what: 'what an editor had in hand when they were moved is paid by nobody',
    file: 'server/src/reports/payroll-laps.ts',
    from: 'if (until === null || until >= end) break',
    to: 'if (until === null || until <= end) break',
    noticed: ['server/src/reports/payroll-moves.test.ts', 'an editor who is moved within a month'],
  },
  {
    what: 'hours that an editor sets elsewhere change what the company pays that they left',
    file: 'server/src/reports/payroll-store.ts',
    from: 'case when l.id is null then p.work_week else l.work_week end as work_week',
    to: 'p.work_week',
    noticed: ['server/src/reports/payroll-moves.test.ts', 'a company reads of an editor who left'],
  },
  {
    what: 'an editor who is disabled with a video in hand is paid until it is handed over',
    file: 'server/src/reports/payroll-store.ts',
    from: 'or m.until is null) and ${wasEditor} and',
    to: 'or m.until is null) and',
    noticed: ['server/src/reports/payroll-ends.test.ts', 'is paid for what they did until then, by that company'],
  },
  {
    what: 'who edited in the month and is something else by now is in no payroll',
    file: 'server/src/reports/payroll-store.ts',
    from: 'where f.editor_id is not null or s.edited or ${isKept}',
    to: 'where f.editor_id is not null or ${isKept}',
    noticed: ['server/src/reports/payroll-ends.test.ts', 'is paid for what they did until then, by that company'],
  },
  {
    what: 'each video in hand is asked about at the end of each stay',
    file: 'server/src/reports/payroll-laps.ts',
    from: 'while (next < all.length && since !== null && all[next]!.started_at <= since) next++',
    to: 'next = 0',
    noticed: ['server/src/reports/payroll-laps.test.ts', 'are read a few times each'],
  },
]
