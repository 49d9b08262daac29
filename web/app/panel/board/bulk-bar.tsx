import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { toast } from 'sonner'
import { requestId } from '@clear-to-post/contract/client'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { send } from '../../api.ts'
import { personHere } from '../../session.ts'
import { failureWords } from '../../failures.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { editorsFor } from '../accounts/editors.ts'
import { editorsQuery } from '../accounts/use-people.ts'
import { BulkFrame } from '../bulk-frame.tsx'
import { messages } from './messages.ts'

/** What can be done to several videos at once: give them all to an editor, or back to the queue while nobody has begun. */
export const BulkBar = ({ chosen, onEnd }: { chosen: readonly Project[]; onEnd: () => void }) => {
  const client = useQueryClient()
  const editors = useQuery(editorsQuery)
  const [to, setTo] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const options = [
    ...(chosen.every(({ status }) => status === Status.submitted) ? [{ value: nobody, label: messages.toQueue }] : []),
    ...(editors.data ?? [])
      .filter((one) => chosen.every(({ tenantId }) => editorsFor([one], tenantId).length === 1))
      .map(({ id, name }) => ({ value: id, label: name })),
  ]
  const goal = options.some(({ value }) => value === to) ? to : null
  const give = async (wanted: readonly Gift[]) => {
    const outcome = await assignAll(wanted)
    void client.invalidateQueries({ queryKey: ['projects'] })
    return outcome
  }
  const press = async () => {
    setPending(true)
    const editorId = goal === nobody ? null : goal
    const wanted = chosen.filter((one) => (one.editorId ?? null) !== editorId)
    const { done, failures } = await give(wanted.map((project) => ({ project, editorId })))
    setPending(false)
    onEnd()
    const undo = async () => {
      const back = await give(done.map(({ before, after }) => ({ project: after, editorId: before.editorId ?? null })))
      if (back.failures.length > 0) toast.error(failureWords(back.failures[0]))
      else toast.success(messages.assignedBack(back.done.length))
    }
    if (done.length > 0 || failures.length === 0)
      toast.success(
        messages.assigned(done.length),
        done.length > 0 ? { action: { label: messages.undo, onClick: () => void undo() } } : {},
      )
    if (failures.length > 0) toast.error(messages.notAssigned(failures.length, failureWords(failures[0])))
  }
  return (
    <BulkFrame chosen={messages.chosen(chosen.length)} none={messages.chooseNone} onEnd={onEnd} className="mb-3">
      <Select
        label={messages.giveTo}
        hideLabel
        placeholder={messages.giveTo}
        options={options}
        value={goal}
        onChange={setTo}
        className="w-52 max-sm:w-full"
      />
      <Button
        variant="primary"
        icon={<UserRound aria-hidden />}
        isPending={isPending}
        isDisabled={goal === null}
        onPress={() => void press()}
      >
        {messages.assign}
      </Button>
    </BulkFrame>
  )
}

type Gift = { project: Project; editorId: string | null }
type Given = { before: Project; after: Project }

// One after the other: each is a step of its own, and may be refused by itself.
const assignAll = async (gifts: readonly Gift[]): Promise<{ done: Given[]; failures: unknown[] }> => {
  const as = personHere()
  const done: Given[] = []
  const failures: unknown[] = []
  for (const { project, editorId } of gifts)
    try {
      const after = await send(
        projects.assign,
        { params: { projectId: project.id }, body: { editorId, seq: project.seq } },
        { requestId: requestId(), as },
      )
      done.push({ before: project, after })
    } catch (error) {
      failures.push(error)
    }
  return { done, failures }
}

const nobody = 'nobody'
