import { ArrowDown, ChevronRight } from 'lucide-react'
import type { User } from '@clear-to-post/contract/accounts'
import { useUser } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { cx } from '../../ui/cx.ts'
import { bodyRow, cell, headCell, table, tableFrame } from '../../ui/data-table.ts'
import { Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { messages } from './messages.ts'
import type { PeopleOrder } from './search.ts'

type TableProps = {
  people: readonly User[]
  order: PeopleOrder
  onOrder: (order: PeopleOrder | undefined) => void
  companyOf: (person: User) => string | undefined
  editorOf: (person: User) => string | undefined
  /** Absent for who only reads. */
  onOpen: ((person: User) => void) | undefined
  /** Still the answer to the words before. */
  isStale: boolean
}

/** One line a person; on phones a list of cards. */
export const PeopleTable = (props: TableProps) => (
  <div className={cx('transition-opacity', props.isStale && 'opacity-60')} aria-busy={props.isStale}>
    <div className={cx(tableFrame, 'max-md:hidden')}>
      <table className={table}>
        <caption className="sr-only">{messages.people}</caption>
        <thead>
          <tr>
            <SortHead {...props} own="name:asc" className="w-[30%]">
              {messages.name}
            </SortHead>
            <SortHead {...props} own="email:asc">
              {messages.email}
            </SortHead>
            <th scope="col" className={headCell}>
              {messages.role}
            </th>
            {props.onOpen && (
              <th scope="col" className={headCell}>
                {messages.company}
              </th>
            )}
            <th scope="col" className={cx(headCell, 'max-lg:hidden')}>
              {messages.editor}
            </th>
          </tr>
        </thead>
        <tbody>
          {props.people.map((person) => (
            <Row key={person.id} person={person} {...props} />
          ))}
        </tbody>
      </table>
    </div>
    <ul className="divide-y divide-line rounded-card border border-line bg-surface md:hidden">
      {props.people.map((person) => (
        <Card key={person.id} person={person} {...props} />
      ))}
    </ul>
  </div>
)

const SortHead = ({
  own,
  order,
  onOrder,
  className,
  children,
}: Pick<TableProps, 'order' | 'onOrder'> & { own: PeopleOrder; className?: string; children: string }) => (
  <th scope="col" aria-sort={order === own ? 'ascending' : undefined} className={cx(headCell, className)}>
    <button
      type="button"
      onClick={() => onOrder(own === 'name:asc' ? undefined : own)}
      className="-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink"
    >
      {children}
      <ArrowDown aria-hidden className={cx('size-3.5', order !== own && 'invisible')} />
    </button>
  </th>
)

const Row = ({ person, companyOf, editorOf, onOpen }: { person: User } & TableProps) => (
  // A mouse may press anywhere on the line; the button is for everybody.
  <tr className={cx(bodyRow, onOpen && 'cursor-pointer hover:bg-sunken/60')} onClick={() => onOpen?.(person)}>
    <th scope="row" className={cx(cell, 'font-normal')}>
      <span className="flex items-center gap-3">
        <Avatar name={person.name} photoUrl={person.photoUrl} className="size-8 text-sm" />
        <Name person={person} onOpen={onOpen} />
      </span>
    </th>
    <td className={cx(cell, 'text-muted [overflow-wrap:anywhere]')}>{person.email}</td>
    <td className={cx(cell, 'whitespace-nowrap')}>{messages.roles[person.role]}</td>
    {onOpen && <td className={cell}>{companyOf(person) ?? <Nothing />}</td>}
    <td className={cx(cell, 'max-lg:hidden')}>{editorOf(person) ?? <Nothing />}</td>
  </tr>
)

const Card = ({ person, companyOf, onOpen }: { person: User } & TableProps) => (
  <li className="relative flex items-center gap-3 px-3 py-3">
    <Avatar name={person.name} photoUrl={person.photoUrl} className="size-10 text-base" />
    <div className="min-w-0 flex-1">
      <Name person={person} onOpen={onOpen} />
      <p className="truncate text-[0.8125rem] text-muted">{person.email}</p>
      <p className="truncate text-[0.8125rem] text-muted">
        {[messages.roles[person.role], companyOf(person)].filter(Boolean).join(' · ')}
      </p>
    </div>
    {onOpen && <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />}
  </li>
)

const Name = ({ person, onOpen }: { person: User; onOpen: TableProps['onOpen'] }) => {
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

const Nothing = () => (
  <span aria-hidden className="text-muted">
    –
  </span>
)

export const PeopleTableSkeleton = () => (
  <div className="divide-y divide-line rounded-card border border-line bg-surface">
    {Array.from({ length: 8 }, (_, row) => (
      <div key={row} className="flex items-center gap-3 px-4 py-3">
        <Skeleton className="size-8 rounded-full" />
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-52 max-md:hidden" />
        <Skeleton className="ml-auto h-4 w-20" />
      </div>
    ))}
  </div>
)
