import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import type { User } from '@clear-to-post/contract/accounts'
import { paths } from '../../paths.ts'
import { useMay, useUser } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { DataTable, Nothing, type Column } from '../../ui/data-table.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { messages } from './messages.ts'
import { useCompanyColumns } from '../company-columns.ts'
import { PersonDialog } from './person-dialog.tsx'
import type { PeopleOrder } from './search.ts'
import { editorsQuery, useCompanyOf } from './use-people.ts'

type OnChange = ((person: User) => void) | undefined

/** One line a person, on phones a card: it leads to their page, and who may change people does so from here, too. */
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
  const navigate = useNavigate()
  const onChange = useMay('tenant.update') ? open : undefined
  const columns = useCompanyColumns(columnsFor(onChange))
  return (
    <>
      <DataTable
        label={messages.people}
        rows={people}
        columns={columns}
        order={order}
        onOrder={onOrder}
        onOpen={({ id }) => void navigate({ to: paths.person, params: { personId: id } })}
        isStale={isStale}
        card={(one) => <Card person={one} onChange={onChange} />}
      />
      {person && <PersonDialog key={person.id} person={person} onClose={() => open(null)} />}
    </>
  )
}

const columnsFor = (onChange: OnChange): (Column<User, PeopleOrder> | false)[] => [
  {
    key: 'name',
    title: messages.name,
    order: 'name:asc',
    headClassName: 'w-[30%]',
    cell: (person) => (
      <span className="flex items-center gap-3">
        <Avatar name={person.name} photoUrl={person.photoUrl} className="size-8 text-sm" />
        <Name person={person} />
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
  {
    key: 'company',
    isCompany: true,
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
  onChange !== undefined && {
    key: 'change',
    title: messages.actions,
    cellClassName: 'text-right',
    cell: (person) => <ChangeButton person={person} onChange={onChange} />,
  },
]

const Company = ({ of: person }: { of: User }) => useCompanyOf()(person) ?? <Nothing />

const BoundEditor = ({ of: { editorId } }: { of: User }) =>
  useQuery(editorsQuery).data?.find(({ id }) => id === editorId)?.name ?? <Nothing />

const Card = ({ person, onChange }: { person: User; onChange: OnChange }) => {
  const company = useCompanyOf()(person)
  return (
    <>
      <Avatar name={person.name} photoUrl={person.photoUrl} className="size-10 text-base" />
      <div className="min-w-0 flex-1">
        <Name person={person} />
        <p className="truncate text-[0.8125rem] text-muted">{person.email}</p>
        <p className="truncate text-[0.8125rem] text-muted">
          {[messages.roles[person.role], company].filter(Boolean).join(' · ')}
        </p>
      </div>
      {onChange && <ChangeButton person={person} onChange={onChange} />}
    </>
  )
}

// A press on it opens no page.
const ChangeButton = ({ person, onChange }: { person: User; onChange: (person: User) => void }) => (
  <span onClick={(event) => event.stopPropagation()} className="relative inline-flex">
    <IconButton label={messages.change(person.name)} onPress={() => onChange(person)} className="text-muted">
      <Pencil aria-hidden />
    </IconButton>
  </span>
)

const Name = ({ person }: { person: User }) => {
  const me = useUser()
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 font-medium">
      <Link
        to={paths.person}
        params={{ personId: person.id }}
        onClick={(event) => event.stopPropagation()}
        className="rounded underline-offset-2 [overflow-wrap:anywhere] hover:underline max-md:after:absolute max-md:after:inset-0"
      >
        {person.name}
      </Link>
      {person.id === me.id && <span className="font-normal text-muted">{messages.you}</span>}
      {person.isDisabled && <Badge tone="danger">{messages.disabled}</Badge>}
    </span>
  )
}
