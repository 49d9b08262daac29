import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import type { User } from '@clear-to-post/contract/accounts'
import { useMay, useUser } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { DataTable, Nothing, type Column } from '../../ui/data-table.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { messages } from './messages.ts'
import { PersonDialog } from './person-dialog.tsx'
import type { PeopleOrder } from './search.ts'
import { editorsQuery, useCompanies } from './use-people.ts'

type OnOpen = ((person: User) => void) | undefined

/** One line a person, on phones a card; who may change people opens one of them. */
export const PeopleTable = ({
  people,
  order,
  onOrder,
  isStale,
}: {
  people: readonly User[]
  order: PeopleOrder
  onOrder: (order: PeopleOrder) => void
  /** Still the answer to the words before. */
  isStale: boolean | undefined
}) => {
  const [person, open] = useState<User | null>(null)
  const onOpen = useMay('tenant.update') ? open : undefined
  return (
    <>
      <DataTable
        label={messages.people}
        rows={people}
        columns={columnsFor(onOpen)}
        order={order}
        onOrder={onOrder}
        onOpen={onOpen}
        isStale={isStale}
        card={(one) => <Card person={one} onOpen={onOpen} />}
      />
      {person && <PersonDialog key={person.id} person={person} onClose={() => open(null)} />}
    </>
  )
}

const columnsFor = (onOpen: OnOpen): (Column<User, PeopleOrder> | false)[] => [
  {
    key: 'name',
    title: messages.name,
    order: 'name:asc',
    headClassName: 'w-[30%]',
    cell: (person) => (
      <span className="flex items-center gap-3">
        <Avatar name={person.name} photoUrl={person.photoUrl} className="size-8 text-sm" />
        <Name person={person} onOpen={onOpen} />
      </span>
    ),
  },
  {
    key: 'email',
    title: messages.email,
    order: 'email:asc',
    cellClassName: 'text-muted [overflow-wrap:anywhere]',
    cell: ({ email }) => email,
  },
  { key: 'role', title: messages.role, cellClassName: 'whitespace-nowrap', cell: ({ role }) => messages.roles[role] },
  onOpen !== undefined && {
    key: 'company',
    title: messages.company,
    cell: (person) => <Company of={person} />,
  },
  {
    key: 'editor',
    title: messages.editor,
    headClassName: 'max-lg:hidden',
    cellClassName: 'max-lg:hidden',
    cell: (person) => <BoundEditor of={person} />,
  },
]

const Company = ({ of: { tenantId } }: { of: User }) =>
  useCompanies().find(({ id }) => id === tenantId)?.name ?? <Nothing />

const BoundEditor = ({ of: { editorId } }: { of: User }) =>
  useQuery(editorsQuery).data?.find(({ id }) => id === editorId)?.name ?? <Nothing />

const Card = ({ person, onOpen }: { person: User; onOpen: OnOpen }) => {
  const company = useCompanies().find(({ id }) => id === person.tenantId)?.name
  return (
    <>
      <Avatar name={person.name} photoUrl={person.photoUrl} className="size-10 text-base" />
      <div className="min-w-0 flex-1">
        <Name person={person} onOpen={onOpen} />
        <p className="truncate text-[0.8125rem] text-muted">{person.email}</p>
        <p className="truncate text-[0.8125rem] text-muted">
          {[messages.roles[person.role], company].filter(Boolean).join(' · ')}
        </p>
      </div>
      {onOpen && <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />}
    </>
  )
}

const Name = ({ person, onOpen }: { person: User; onOpen: OnOpen }) => {
  const me = useUser()
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 font-medium">
      {onOpen ? (
        <button
          type="button"
          aria-label={messages.change(person.name)}
          onClick={(event) => {
            event.stopPropagation()
            onOpen(person)
          }}
          className="rounded text-left [overflow-wrap:anywhere] max-md:after:absolute max-md:after:inset-0"
        >
          {person.name}
        </button>
      ) : (
        <span className="[overflow-wrap:anywhere]">{person.name}</span>
      )}
      {person.id === me.id && <span className="font-normal text-muted">{messages.you}</span>}
      {person.isDisabled && <Badge tone="danger">{messages.disabled}</Badge>}
    </span>
  )
}
