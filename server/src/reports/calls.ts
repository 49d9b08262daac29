import { reports } from '@clear-to-post/contract/reports'
import { on, type Mounted } from '../kernel/call.ts'
import { lostReport, partsReport, videosReport } from './actions.ts'
import { queueForecast } from './forecast.ts'
import { moneyReport } from './money.ts'
import { payroll, setRate } from './payroll.ts'

export const reportsCalls: Mounted[] = [
  on(reports.videos, ({ query }, { tx, caller }) => videosReport(tx, caller, query)),
  on(reports.parts, ({ query }, { tx, caller }) => partsReport(tx, caller, query)),
  on(reports.forecast, (_input, { tx, caller, now }) => queueForecast(tx, caller, now)),
  on(reports.money, ({ query }, { tx, caller }) => moneyReport(tx, caller, query)),
  on(reports.payroll, ({ query }, { tx, caller }) => payroll(tx, caller, query)),
  on(reports.setRate, async ({ body }, { tx, caller, now }) => {
    await setRate(tx, caller, body, now)
    return {}
  }),
  on(reports.lost, ({ query }, { tx, caller }) => lostReport(tx, caller, query)),
]
