import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { publishing, type Connection, type ConnectionOfficer } from '@clear-to-post/contract/publishing'
import { networks } from '@clear-to-post/domain/networks'
import { keyOf, query, useCall } from '../../api.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

/** Which officers of a company post with one of its accounts; each is let or stopped at once. */
export const OfficersDialog = ({ connection, onClose }: { connection: Connection; onClose: () => void }) => {
  const { id: connectionId, network, name } = connection
  const [search, setSearch] = useState('')
  const asked = { params: { connectionId }, query: search === '' ? {} : { search } }
  const answer = useQuery(query(publishing.officers, asked))
  return (
    <Dialog
      title={messages.officersTitle(messages.on(networks[network].name, name))}
      size="medium"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <p className="mb-3 text-muted">{messages.officersText}</p>
      <SearchField label={messages.searchOfficers} value={search} onChange={setSearch} className="mb-2" />
      <Loaded
        answer={answer}
        failed={messages.officersFailed}
        isSmall
        loading={
          <>
            <Skeleton className="mb-2 h-10 w-full" />
            <Skeleton className="h-10 w-full" />
          </>
        }
      >
        {({ items }) =>
          items.length === 0 ? (
            <p role="status" className="py-2">
              {search === '' ? messages.noOfficers : messages.noOfficersFound}
            </p>
          ) : (
            <ul className="grid">
              {items.map((officer) => (
                <li key={officer.id} className="border-t border-line first:border-0">
                  <Officer officer={officer} asked={asked} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

type Asked = { params: { connectionId: string }; query: { search?: string } }

const Officer = ({ officer: { id, name, posts }, asked }: { officer: ConnectionOfficer; asked: Asked }) => {
  const client = useQueryClient()
  const handlers = {
    onSuccess: (fresh: ConnectionOfficer) =>
      client.setQueryData(keyOf(publishing.officers, asked), (before?: { items: ConnectionOfficer[] }) =>
        before ? { items: before.items.map((one) => (one.id === fresh.id ? fresh : one)) } : before,
      ),
    onError: toastFailure,
  }
  const letPost = useCall(publishing.letOfficer, handlers)
  const stop = useCall(publishing.stopOfficer, handlers)
  const isPending = letPost.isPending || stop.isPending
  const params = { ...asked.params, userId: id }
  return (
    <Checkbox
      className="w-full py-2"
      isSelected={posts}
      // Not disabled meanwhile: that would take the focus out of the dialog.
      isReadOnly={isPending}
      onChange={(isOn) => (isOn ? letPost : stop).mutate({ params })}
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
    </Checkbox>
  )
}
