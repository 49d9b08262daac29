import { useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import type { User } from '@clear-to-post/contract/accounts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { RowsLoading } from '../../ui/listed.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'
import { ListPage, NothingFits } from '../list-page.tsx'
import { messages } from './messages.ts'
import { PeopleFilters } from './people-filters.tsx'
import { PeopleTable } from './people-table.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { ReceiptsDialog } from './receipts-dialog.tsx'
import type { PeopleSearch } from './search.ts'
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
      <ListPage
        title={messages.title}
        filter={{
          isOn: isFiltered,
          fields: (
            <PeopleFilters
              search={search}
              onChange={change}
              companies={companies}
              isAdmin={isAdmin}
              isFiltered={isFiltered}
            />
          ),
          none: (
            <NothingFits
              title={messages.noneTitle}
              text={messages.noneText}
              clear={messages.clear}
              onClear={() => void navigate({ search: {}, replace: true })}
            />
          ),
        }}
        list={list}
        failed={messages.failed}
        loading={
          <RowsLoading count={8} row="gap-3 py-3">
            <Skeleton className="size-8 rounded-full" />
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-4 w-52 max-md:hidden" />
            <Skeleton className="ml-auto h-4 w-20" />
          </RowsLoading>
        }
        empty={
          <EmptyState
            icon={<UsersRound aria-hidden />}
            title={messages.emptyTitle}
            text={messages.emptyText}
            action={isAdmin && <LinkButton to={paths.tenants}>{messages.toTenants}</LinkButton>}
          />
        }
        foot={
          isAdmin && (
            <div>
              <ReceiptsDialog />
            </div>
          )
        }
      >
        {(people) => (
          <PeopleTable
            people={people}
            order={search.order ?? 'name:asc'}
            onOrder={(order) => change({ order: order === 'name:asc' ? undefined : order })}
            companyOf={({ tenantId }) => nameIn(companies, tenantId)}
            editorOf={({ editorId }) => nameIn(editors.data ?? [], editorId)}
            onOpen={isAdmin ? setOpen : undefined}
            isStale={list.isPlaceholderData}
          />
        )}
      </ListPage>
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
