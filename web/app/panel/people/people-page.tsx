import { useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { SearchX, UsersRound, X } from 'lucide-react'
import type { User } from '@clear-to-post/contract/accounts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Awaiting, EmptyState } from '../../ui/states.tsx'
import { PageHead } from '../page-head.tsx'
import { messages } from './messages.ts'
import { PeopleTable, PeopleTableSkeleton } from './people-table.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { ReceiptsDialog } from './receipts-dialog.tsx'
import { personRoles } from '@clear-to-post/domain/roles'
import { orders, type PeopleSearch } from './search.ts'
import { editorsQuery, useCompanies, usePeople } from './use-people.ts'

const route = getRouteApi('/panel/people')

/** Everybody this admin reaches: find them, and change what they may. QA reads. */
export const PeoplePage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: Partial<PeopleSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const list = usePeople(search)
  const companies = useCompanies()
  const editors = useQuery(editorsQuery)
  const [open, setOpen] = useState<User | null>(null)
  const isAdmin = useMay('tenant.update')
  const isFiltered = Object.keys(search).some((key) => key !== 'order')
  const nameIn = (all: readonly { id: string; name: string }[], id: string | undefined) =>
    all.find((one) => one.id === id)?.name
  return (
    <>
      <PageHead title={messages.title} />
      <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-4 md:px-6">
        <FilterBar search={search} onChange={change} companies={companies} isAdmin={isAdmin} isFiltered={isFiltered} />
        {list.items === undefined ? (
          <Awaiting answer={list} failed={messages.failed}>
            <PeopleTableSkeleton />
          </Awaiting>
        ) : list.items.length === 0 ? (
          isFiltered ? (
            <EmptyState
              icon={<SearchX aria-hidden />}
              title={messages.noneTitle}
              text={messages.noneText}
              action={<Button onPress={() => void navigate({ search: {}, replace: true })}>{messages.clear}</Button>}
            />
          ) : (
            <EmptyState
              icon={<UsersRound aria-hidden />}
              title={messages.emptyTitle}
              text={messages.emptyText}
              action={isAdmin && <LinkButton to={paths.tenants}>{messages.toTenants}</LinkButton>}
            />
          )
        ) : (
          <PeopleTable
            people={list.items}
            order={search.order ?? 'name:asc'}
            onOrder={(order) => change({ order })}
            companyOf={({ tenantId }) => nameIn(companies, tenantId)}
            editorOf={({ editorId }) => nameIn(editors.data ?? [], editorId)}
            onOpen={isAdmin ? setOpen : undefined}
            isStale={list.isPlaceholderData}
          />
        )}
        <MoreButton list={list} />
        {isAdmin && (
          <div>
            <ReceiptsDialog />
          </div>
        )}
      </div>
      {open && (
        <PersonDialog
          key={open.id}
          person={open}
          companies={companies}
          editors={editors.data ?? []}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

const FilterBar = ({
  search,
  onChange,
  companies,
  isAdmin,
  isFiltered,
}: {
  search: PeopleSearch
  onChange: (part: Partial<PeopleSearch>) => void
  companies: readonly { id: string; name: string }[]
  isAdmin: boolean
  isFiltered: boolean
}) => (
  <div role="search" className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
    <SearchField
      label={messages.search}
      value={search.q ?? ''}
      onChange={(q) => onChange({ q: q || undefined })}
      className="max-sm:col-span-2 sm:w-60"
    />
    <Select
      label={messages.role}
      hideLabel
      className="sm:w-40"
      value={search.role ?? all}
      options={[
        { value: all, label: messages.allRoles },
        ...personRoles.map((role) => ({ value: role, label: messages.roles[role] })),
      ]}
      onChange={(value) => onChange({ role: personRoles.find((role) => role === value) })}
    />
    {isAdmin && companies.length > 1 && (
      <Select
        label={messages.company}
        hideLabel
        className="sm:w-52"
        value={search.company ?? all}
        options={[
          { value: all, label: messages.allCompanies },
          ...companies.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(value) => onChange({ company: value === all ? undefined : value })}
      />
    )}
    {isAdmin && (
      <Select
        label={messages.access}
        hideLabel
        className="sm:w-36"
        value={search.access ?? all}
        options={[
          { value: all, label: messages.allAccess },
          { value: 'active', label: messages.active },
          { value: 'disabled', label: messages.disabled },
        ]}
        onChange={(value) => onChange({ access: value === 'active' || value === 'disabled' ? value : undefined })}
      />
    )}
    <Select
      label={messages.order}
      hideLabel
      className="sm:w-40"
      value={search.order ?? 'name:asc'}
      options={orders.map((order) => ({ value: order, label: messages.orders[order] }))}
      onChange={(order) => onChange({ order: order === 'name:asc' ? undefined : order })}
    />
    {isFiltered && (
      <Button
        variant="quiet"
        icon={<X aria-hidden />}
        onPress={() => onChange({ q: undefined, role: undefined, company: undefined, access: undefined })}
      >
        {messages.clear}
      </Button>
    )}
  </div>
)

const all = 'all'
