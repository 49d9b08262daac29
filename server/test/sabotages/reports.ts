import type { Sabotage } from '../sabotage.ts'

const reports = (test: string) => ['server/src/reports/reports.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
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
    from: 'where r.person_id = p.id and r.tenant_id is not distinct from p.tenant_id',
    to: 'where r.person_id = p.id',
    noticed: ['server/src/reports/payroll.test.ts', 'pays the editors of that company alone'],
  },
  {
    what: 'a step that was undone is paid',
    file: 'server/src/reports/payroll-store.ts',
    from: '\n      and ${isNotUndone(sql`e`)}`)',
    to: '`)',
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
]
