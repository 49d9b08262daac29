import type { z } from 'zod'
import { feedback, type Criteria } from '@clear-to-post/contract/feedback'
import { isServiceAdmin } from '@clear-to-post/domain/roles'
import type { Caller, Reader } from '../kernel/database.ts'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import { criteriaNow, setCriteria } from './actions.ts'

export const feedbackCalls: Mounted[] = [
  onRead(feedback.criteria, (_input, { tx, caller }) => present(tx, caller)),
  on(feedback.setCriteria, async ({ body }, { tx, caller, now }) => {
    await setCriteria(tx, caller, body, now)
    return present(tx, caller)
  }),
]

const present = async (tx: Reader, caller: Caller): Promise<z.input<typeof Criteria>> => {
  const { criteria, revision } = await criteriaNow(tx)
  return { criteria: [...criteria], revision, actions: isServiceAdmin(caller) ? ['setCriteria'] : [] }
}
