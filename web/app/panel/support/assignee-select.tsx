import { useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accounts } from '@clear-to-post/contract/accounts'
import { support, type SupportThread } from '@clear-to-post/contract/support'
import { duties } from '@clear-to-post/domain/roles'
import { keyOf, query, queryClient, useCall } from '../../api.ts'
import { useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

/** Who has taken a question: nobody, or somebody who answers there. */
export const AssigneeSelect = ({ thread }: { thread: SupportThread }) => {
  const { id: ownId, name: ownName } = useUser()
  const params = { threadId: thread.id }
  const mayAssign = thread.actions.includes('assign')
  const helpers = useQuery({
    ...query(accounts.search, {
      query: { perPage: 100, orderBy: 'name:asc', wheres: [`role:in:${duties.administer.join(',')}`] },
    }),
    enabled: mayAssign,
    staleTime: 5 * 60_000,
  })
  const give = useCall(support.assign, {
    onSuccess: (changed) => {
      queryClient.setQueryData(keyOf(support.find, { params }), changed)
      void queryClient.invalidateQueries({ queryKey: ['support'] })
    },
    onError: toastFailure,
  })
  const isMine = thread.assignee?.id === ownId
  const row = useRef<HTMLDivElement>(null)
  const tookIt = useRef(false)
  // The button that took it is gone then.
  useEffect(() => {
    if (isMine && tookIt.current) row.current?.querySelector('button')?.focus()
    tookIt.current = false
  }, [isMine])
  if (!mayAssign) return null
  // Of another company nobody answers here; the service's own may.
  const others = (helpers.data?.items ?? [])
    .filter(({ id, tenantId }) => id !== thread.person?.id && (!tenantId || tenantId === thread.tenant?.id))
    .map(({ id, name }) => ({ value: id, label: name }))
  const known = [
    ...others,
    ...[thread.assignee, { id: ownId, name: ownName }]
      .filter((one) => one !== undefined && !others.some(({ value }) => value === one.id))
      .map((one) => ({ value: one!.id, label: one!.name })),
  ]
  const options = [
    { value: none, label: messages.nobody },
    ...(thread.isWithService ? [{ value: service, label: messages.service }] : []),
    ...new Map(known.map((one) => [one.value, one])).values(),
  ]
  return (
    <div ref={row} className="flex flex-wrap items-end gap-2">
      <div className="min-w-40 flex-1">
        <Select
          label={messages.othersLabel}
          value={thread.assignee?.id ?? (thread.isWithService ? service : none)}
          options={options}
          onChange={(id) => {
            if (id !== service) give.mutate({ params, body: { assigneeId: id === none ? null : id } })
          }}
        />
      </div>
      {!isMine && (
        <Button
          isPending={give.isPending}
          onPress={() => {
            tookIt.current = true
            give.mutate({ params, body: { assigneeId: ownId } })
          }}
        >
          {messages.take}
        </Button>
      )}
    </div>
  )
}

const none = 'none'
// Who of the service has it is not told.
const service = 'service'
