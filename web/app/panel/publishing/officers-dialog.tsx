import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { publishing, type Connection, type ConnectionOfficer } from '@clear-to-post/contract/publishing'
import { networks } from '@clear-to-post/domain/networks'
import { query, queryClient, send } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

/** Which officers of a company post with one of its accounts. Nothing changes before it is saved: a right that ends takes posts back. */
export const OfficersDialog = ({ connection, onClose }: { connection: Connection; onClose: () => void }) => {
  const { id: connectionId, network, name } = connection
  const [search, setSearch] = useState('')
  /** Those whose tick differs from what is kept, whatever is searched for meanwhile. */
  const [changed, setChanged] = useState<readonly ConnectionOfficer[]>([])
  const asked = { params: { connectionId }, query: search === '' ? {} : { search } }
  const answer = useQuery(query(publishing.officers, asked))
  const stopped = changed.filter(({ posts }) => !posts)
  const save = useMutation({
    mutationFn: async () => {
      for (const { id: userId, posts } of changed)
        await send(posts ? publishing.letOfficer : publishing.stopOfficer, { params: { connectionId, userId } })
    },
    onSuccess: () => {
      toast.success(messages.officersSaved)
      onClose()
    },
    onError: toastFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['connections'] }),
  })
  const tick = (officer: ConnectionOfficer, posts: boolean) =>
    setChanged((before) => {
      const others = before.filter(({ id }) => id !== officer.id)
      return posts === officer.posts ? others : [...others, { ...officer, posts }]
    })
  return (
    <Dialog
      title={messages.officersTitle(messages.on(networks[network].name, name))}
      size="medium"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={(close) => (
        <>
          <Button onPress={close}>{messages.cancel}</Button>
          <Button
            variant="primary"
            isPending={save.isPending}
            onPress={() => (changed.length === 0 ? close() : save.mutate())}
          >
            {stopped.length === 0 ? messages.officersSave : messages.officersStop}
          </Button>
        </>
      )}
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
                  <Checkbox
                    className="w-full py-2"
                    isSelected={changed.find(({ id }) => id === officer.id)?.posts ?? officer.posts}
                    // Not disabled meanwhile: that would take the focus out of the dialog.
                    isReadOnly={save.isPending}
                    onChange={(isOn) => tick(officer, isOn)}
                  >
                    <span className="grid min-w-0 [overflow-wrap:anywhere]">
                      {officer.name}
                      <span className="text-sm text-muted">{officer.email}</span>
                    </span>
                  </Checkbox>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p role="status" className="mt-2 font-medium [overflow-wrap:anywhere]">
        {stopped.length > 0 && messages.officersLose(stopped.map((officer) => officer.name))}
      </p>
    </Dialog>
  )
}
