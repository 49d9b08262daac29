import { refusal } from '@clear-to-post/contract/errors'
import { support } from '@clear-to-post/contract/support'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import type { Caller, Reader } from '../kernel/database.ts'
import { page } from '../kernel/page.ts'
import { ask, assign, close, reopen, reply } from './actions.ts'
import { presentMessage, presentThread } from './present.ts'
import { findThread, listColumns, messagesIn, ownSelect, queueSelect } from './store.ts'

export const supportCalls: Mounted[] = [
  onRead(support.mine, async ({ query }, { tx, caller }) => {
    const { rows, nextCursor } = await page(tx, support.mine.page, listColumns, query, (parts) =>
      ownSelect(caller, parts),
    )
    return { items: rows.map((row) => presentThread(caller, row)), nextCursor }
  }),
  onRead(support.list, async ({ query }, { tx, caller }) => {
    const { rows, nextCursor } = await page(tx, support.list.page, listColumns, query, (parts) =>
      queueSelect(caller, parts),
    )
    return { items: rows.map((row) => presentThread(caller, row)), nextCursor }
  }),
  onRead(support.find, ({ params: { threadId } }, { tx, caller }) => read(tx, caller, threadId)),
  on(support.ask, async ({ body }, { tx, caller, now }) => read(tx, caller, await ask(tx, caller, body, now))),
  on(support.reply, async ({ params: { threadId }, body }, { tx, caller, now }) => {
    await reply(tx, caller, threadId, body.body, now)
    return read(tx, caller, threadId)
  }),
  on(support.assign, async ({ params: { threadId }, body }, { tx, caller, now }) => {
    await assign(tx, caller, threadId, body.assigneeId, now)
    return read(tx, caller, threadId)
  }),
  on(support.close, async ({ params: { threadId }, body }, { tx, caller, now }) => {
    await close(tx, caller, threadId, body?.lastMessageId, now)
    return read(tx, caller, threadId)
  }),
  on(support.reopen, async ({ params: { threadId } }, { tx, caller, now }) => {
    await reopen(tx, caller, threadId, now)
    return read(tx, caller, threadId)
  }),
]

const read = async (tx: Reader, caller: Caller, threadId: string) => {
  const row = await findThread(tx, caller, threadId)
  if (!row) throw refusal('support.not-found')
  const messages = await messagesIn(tx, caller, threadId)
  return { ...presentThread(caller, row), messages: messages.map((one) => presentMessage(caller, one)) }
}
