import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { notes } from '@clear-to-post/contract/notes'
import { query } from '../../api.ts'
import { Listed, listOf } from '../../ui/listed.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { HistoryEntries } from './history-entries.tsx'
import { messages } from './messages.ts'

/** What was deleted: title and history. Asked for when somebody looks. */
export const DeletedNotes = ({ userId }: { userId: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="touch inline-flex cursor-pointer items-center text-[0.8125rem] text-muted underline-offset-4 hover:underline">
        {messages.deleted}
      </summary>
      {isOpen && <DeletedList userId={userId} />}
    </details>
  )
}

const DeletedList = ({ userId }: { userId: string }) => {
  const list = useQuery(query(notes.list, { params: { userId }, query: { deleted: 'true' } }))
  return (
    <div className="mt-2">
      <Listed
        list={listOf(list, ({ items }) => items)}
        failed={messages.deletedFailed}
        loading={<Skeleton className="h-12 w-full" />}
        empty={<p className="text-muted">{messages.noneDeleted}</p>}
      >
        {(items) => (
          <>
            <p className="text-muted">{messages.deletedText}</p>
            <ul className="mt-2 divide-y divide-line border-t border-line">
              {items.map(({ id, title, history = [] }) => (
                <li key={id} className="py-3">
                  <h3 className="mb-1 font-sans text-sm font-semibold tracking-normal [overflow-wrap:anywhere]">
                    {title}
                  </h3>
                  <HistoryEntries history={history} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Listed>
    </div>
  )
}
