import { useQuery } from '@tanstack/react-query'
import { accounts, type User } from '@clear-to-post/contract/accounts'
import { getRouteApi } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { CsvButton } from '../csv-button.tsx'
import { ListPage } from '../list-page.tsx'
import { searchFilter } from '../search-filter.tsx'
import { useFilters } from '../use-filters.ts'
import { InviteButton } from '../invitations/invite-button.tsx'
import { messages } from './messages.ts'
import { PeopleFilters } from './people-filters.tsx'
import { PeopleNav } from './people-nav.tsx'
import { PeopleTable } from './people-table.tsx'
import { ReceiptsDialog } from './receipts-dialog.tsx'
import { isAddressLike, wheresOf } from './search.ts'
import { companiesQuery, usePeople } from './use-people.ts'

const route = getRouteApi('/panel/people')

/** Everybody this admin reaches: find them, and change what they may. QA reads. */
export const PeoplePage = () => {
  const filters = useFilters(route.useSearch(), ['order'])
  const { search, change } = filters
  const found = usePeople(search)
  // A row is as high as the name of its company wants it: rows come with those names.
  const { isLoading } = useQuery({ ...companiesQuery, enabled: useMay('tenant.list') })
  const list = isLoading ? { ...found, items: undefined } : found
  const isAdmin = useMay('tenant.update')
  const invites = useMay('user.invite')
  return (
    <ListPage
      words={messages}
      icon={UsersRound}
      beside={<PeopleNav />}
      create={
        <>
          {invites && <InviteButton />}
          <CsvButton
            shape={accounts.search}
            asked={{
              orderBy: search.order ?? 'name:asc',
              wheres: wheresOf(search, isAddressLike(search.q ?? '') ? 'email' : 'name'),
            }}
            columns={csv}
            name="people"
          />
        </>
      }
      filter={searchFilter(messages, filters, <PeopleFilters search={search} onChange={change} />)}
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

const csv = [
  { title: messages.name, text: ({ name }: User) => name },
  { title: messages.email, text: ({ email }: User) => email },
  { title: messages.role, text: ({ role }: User) => messages.roles[role] },
]
