import { jobs } from '@clear-to-post/contract/jobs'
import { on, type Mounted } from '../kernel/call.ts'
import { countGivenUp, listGivenUp, settleGivenUp } from './actions.ts'

export const jobsCalls: Mounted[] = [
  on(jobs.givenUp, ({ query }, { tx, caller }) => listGivenUp(tx, caller, query)),
  on(jobs.counts, (_input, { tx, caller }) => countGivenUp(tx, caller)),
  on(jobs.sendAgain, ({ body }, { tx, caller }) => settleGivenUp(tx, caller, 'send-again', { ids: body.jobIds })),
  on(jobs.sendAll, ({ body }, { tx, caller }) => settleGivenUp(tx, caller, 'send-again', { name: body.kind })),
  on(jobs.letRest, ({ body }, { tx, caller }) => settleGivenUp(tx, caller, 'let-rest', { ids: body.jobIds })),
]
