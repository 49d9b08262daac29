import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { apiKeys, type OwnedApiKey } from '@clear-to-post/contract/api-keys'
import { query, usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { dayWords } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { searchFilter } from '../search-filter.tsx'
import { TablePage } from '../table-page.tsx'
import { useFilters } from '../use-filters.ts'
import { KeyMenu, KeyState, Prefix, scopeWords, usedWords } from './key-parts.tsx'
import { PeopleNav } from '../accounts/people-nav.tsx'
import { MakeKeyDialog } from './make-key-dialog.tsx'
import { messages } from './messages.ts'
import { wheresOf } from './search.ts'

const route = getRouteApi('/panel/people/keys')

/** The keys of everybody whom this ADMIN reaches: what each may do, when it was used, and its end. */
export const KeysPage = () => {
  const filters = useFilters(route.useSearch())
  const own = useQuery(query(apiKeys.list, {}))
  const [isMaking, setMaking] = useState(false)
  const offered = own.data?.offeredForCompany ?? []
  const make = offered.length > 0 && (
    <Button icon={<KeyRound aria-hidden />} onPress={() => setMaking(true)}>
      {messages.makeCompanys}
    </Button>
  )
  return (
    <>
      <TablePage
        words={messages}
        icon={KeyRound}
        beside={<PeopleNav />}
        create={make}
        filter={searchFilter(
          messages,
          filters,
          <FilterSelect
            label={messages.show}
            all={messages.showGood}
            value={filters.search.show}
            options={[{ value: 'all', label: messages.showAll }]}
            onChange={(show) => filters.change({ show })}
          />,
        )}
        emptyAction={
          <div className="flex flex-wrap justify-center gap-2">
            {make}
            <LinkButton to={paths.profile}>{messages.toProfile}</LinkButton>
            {filters.search.show === undefined && (
              <LinkButton to={paths.apiKeys} search={{ show: 'all' }}>
                {messages.showEnded}
              </LinkButton>
            )}
          </div>
        }
        list={usePages(apiKeys.ofCompany, { perPage: 50, wheres: wheresOf(filters.search) })}
        count={4}
        label={messages.list}
        columns={columns}
        card={(one) => <KeyCard of={one} />}
      />
      {isMaking && <MakeKeyDialog offered={offered} forCompany onClose={() => setMaking(false)} />}
    </>
  )
}

/** A key on a phone. */
const KeyCard = ({ of: one }: { of: OwnedApiKey }) => (
  <>
    <div className="grid min-w-0 flex-1 gap-1">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-medium [overflow-wrap:anywhere]">{one.name}</span>
        <KeyState of={one} />
      </p>
      <p className="text-[0.8125rem] [overflow-wrap:anywhere]">
        {one.ownerName}
        {one.isCompanys && ` · ${messages.companysOwn}`}
      </p>
      <Prefix of={one} />
      <p className="text-[0.8125rem] text-muted">{scopeWords(one)}</p>
      <p className="text-[0.8125rem] text-muted">
        {messages.wasUntil(dayWords(one.endsAt))}, {usedWords(one)}
      </p>
    </div>
    <KeyMenu of={one} />
  </>
)

const columns: Column<OwnedApiKey>[] = [
  {
    key: 'name',
    title: messages.name,
    headClassName: 'w-[24%]',
    cell: (one) => (
      <div className="grid gap-0.5">
        <span className="font-medium [overflow-wrap:anywhere]">{one.name}</span>
        <Prefix of={one} />
      </div>
    ),
  },
  {
    key: 'owner',
    title: messages.owner,
    cell: (one) => (
      <div className="grid gap-0.5 [overflow-wrap:anywhere]">
        {one.ownerName}
        <span className="text-[0.8125rem] text-muted">{one.isCompanys ? messages.companysOwn : one.ownerEmail}</span>
      </div>
    ),
  },
  {
    key: 'scopes',
    title: messages.mayDo,
    headClassName: 'max-lg:hidden',
    cellClassName: 'text-[0.8125rem] text-muted max-lg:hidden',
    cell: scopeWords,
  },
  { key: 'used', title: messages.lastUsed, cellClassName: 'text-muted', cell: usedWords },
  { key: 'ends', title: messages.ends, cellClassName: 'text-muted', cell: ({ endsAt }) => dayWords(endsAt) },
  { key: 'state', title: messages.state, cell: (one) => <KeyState of={one} /> },
  { key: 'menu', title: messages.actions, cellClassName: 'text-right', cell: (one) => <KeyMenu of={one} /> },
]
