import { mayName } from '@clear-to-post/domain/access'
import { refusal } from '@clear-to-post/contract/errors'
import { goals } from '@clear-to-post/contract/goals'
import { on, type Mounted } from '../kernel/call.ts'
import { goalsOf, setGoal } from './actions.ts'

export const goalsCalls: Mounted[] = [
  on(goals.list, async ({ query }, { tx, caller, now }) => {
    if (!mayName(caller, 'goal.list', query.editorId ?? caller.id)) throw refusal('account.not-found')
    return { items: await goalsOf(tx, caller, query.editorId ?? caller.id, query.isoWeek, now), nextCursor: null }
  }),
  on(goals.set, ({ body }, { tx, caller, now }) => setGoal(tx, caller, body.editorId, body.isoWeek, body.target, now)),
]
