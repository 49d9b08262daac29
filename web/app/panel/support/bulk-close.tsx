import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, ListChecks } from 'lucide-react'
import { toast } from 'sonner'
import { requestId } from '@clear-to-post/contract/client'
import { support, type SupportThread } from '@clear-to-post/contract/support'
import { send } from '../../api.ts'
import { personHere } from '../../session.ts'
import { failureWords } from '../../failures.ts'
import { Button } from '../../ui/button.tsx'
import { BulkFrame } from '../bulk-frame.tsx'
import { messages } from './messages.ts'

/** Closes several questions at once, such as a flood of letters; the toast opens them again. */
export const BulkClose = ({
  chosen,
  left,
  onAll,
  onEnd,
}: {
  chosen: readonly SupportThread[]
  /** How many more of those that are shown could be chosen. */
  left: number
  onAll: () => void
  onEnd: () => void
}) => {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const move = async (to: 'close' | 'reopen', threads: readonly SupportThread[]) => {
    const outcome = await moveAll(to, threads)
    void client.invalidateQueries({ queryKey: ['support'] })
    return outcome
  }
  const press = async () => {
    setPending(true)
    const { done, failures } = await move('close', chosen)
    setPending(false)
    onEnd()
    const undo = async () => {
      const back = await move('reopen', done)
      if (back.failures.length > 0) toast.error(failureWords(back.failures[0]))
      else toast.success(messages.reopenedAll(back.done.length))
    }
    if (done.length > 0)
      toast.success(messages.closedAll(done.length), {
        action: { label: messages.undo, onClick: () => void undo() },
      })
    if (failures.length > 0) toast.error(messages.notClosed(failures.length, failureWords(failures[0])))
  }
  return (
    <BulkFrame chosen={messages.chosen(chosen.length)} none={messages.chooseNone} onEnd={onEnd}>
      {left > 0 && (
        <Button icon={<ListChecks aria-hidden />} onPress={onAll}>
          {messages.chooseAll(chosen.length + left)}
        </Button>
      )}
      <Button variant="primary" icon={<CircleCheck aria-hidden />} isPending={isPending} onPress={() => void press()}>
        {messages.close}
      </Button>
    </BulkFrame>
  )
}

// One after the other: each may have been closed or written in by somebody else meanwhile, and is refused by itself.
const moveAll = async (
  to: 'close' | 'reopen',
  threads: readonly SupportThread[],
): Promise<{ done: SupportThread[]; failures: unknown[] }> => {
  const as = personHere()
  const done: SupportThread[] = []
  const failures: unknown[] = []
  for (const thread of threads)
    try {
      const [params, once] = [{ threadId: thread.id }, { requestId: requestId(), as }]
      if (to === 'reopen') await send(support.reopen, { params }, once)
      else await send(support.close, { params, body: { lastMessageId: thread.lastMessageId } }, once)
      done.push(thread)
    } catch (error) {
      failures.push(error)
    }
  return { done, failures }
}
