import { getRouteApi } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { ListPage } from '../list-page.tsx'
import { useFilters } from '../use-filters.ts'
import { messages } from './messages.ts'
import { PeopleFilters } from './people-filters.tsx'
import { PeopleTable } from './people-table.tsx'
import { ReceiptsDialog } from './receipts-dialog.tsx'
import { usePeople } from './use-people.ts'

const route = getRouteApi('/panel/people')

/** Everybody this admin reaches: find them, and change what they may. QA reads. */
export const PeoplePage = () => {
  const { search, change, isFiltered, clear } = useFilters(route.useSearch(), ['order'])
  const list = usePeople(search)
  const isAdmin = useMay('tenant.update')
  return (
    <ListPage
      words={messages}
      icon={UsersRound}
      filter={{
        words: messages,
        isOn: isFiltered,
        fields: <PeopleFilters search={search} onChange={change} onClear={isFiltered ? clear : undefined} />,
        onClear: clear,
      }}
      list={list}
      loading={<PeopleLoading count={8} />}
      emptyAction={isAdmin && <LinkButton to={paths.tenants}>{messages.toTenants}</LinkButton>}
      foot={isAdmin && <ReceiptsDialog />}
    >
      {(people) => (
        <PeopleTable
          people={people}
          order={search.order ?? 'name:asc'}
          onOrder={(order) => change({ order: order === 'name:asc' ? undefined : order })}
          isStale={list.isPlaceholderData}
        />
      )}
    </ListPage>
  )
}
