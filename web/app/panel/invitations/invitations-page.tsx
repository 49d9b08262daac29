import { getRouteApi } from '@tanstack/react-router'
import { MailPlus } from 'lucide-react'
import { invitations, type SentInvitation } from '@clear-to-post/contract/invitations'
import { usePages } from '../../api.ts'
import { Nothing, type Column } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { searchFilter } from '../search-filter.tsx'
import { TablePage } from '../table-page.tsx'
import { useFilters } from '../use-filters.ts'
import { InvitationMenu } from './invitation-menu.tsx'
import { InvitationCard, InvitationState, Sent } from './invitation-row.tsx'
import { InviteButton } from './invite-button.tsx'
import { messages as people } from '../accounts/messages.ts'
import { PeopleNav } from '../accounts/people-nav.tsx'
import { messages } from './messages.ts'
import { wheresOf } from './search.ts'

const route = getRouteApi('/panel/people/invitations')

/** Who was invited by e-mail: send again, take back, invite more. */
export const InvitationsPage = () => {
  const filters = useFilters(route.useSearch())
  return (
    <TablePage
      words={messages}
      icon={MailPlus}
      beside={<PeopleNav />}
      create={<InviteButton />}
      filter={searchFilter(
        messages,
        filters,
        <FilterSelect
          label={messages.show}
          all={messages.showOpen}
          value={filters.search.show}
          options={[{ value: 'all', label: messages.showAll }]}
          onChange={(show) => filters.change({ show })}
        />,
      )}
      list={usePages(invitations.list, { perPage: 50, wheres: wheresOf(filters.search) })}
      count={4}
      label={messages.list}
      columns={columns}
      card={(one) => <InvitationCard of={one} />}
    />
  )
}

const columns: Column<SentInvitation>[] = [
  {
    key: 'email',
    title: messages.email,
    headClassName: 'w-[30%]',
    cellClassName: 'font-medium! [overflow-wrap:anywhere]',
    cell: ({ email }) => email,
  },
  { key: 'role', title: messages.role, cellClassName: 'whitespace-nowrap', cell: ({ role }) => people.roles[role] },
  { key: 'company', title: messages.company, cell: ({ tenantName }) => tenantName ?? <Nothing />, isCompany: true },
  {
    key: 'by',
    title: messages.invitedBy,
    headClassName: 'max-lg:hidden',
    cellClassName: 'max-lg:hidden',
    cell: ({ invitedBy }) => invitedBy,
  },
  { key: 'sent', title: messages.sentAt, cellClassName: 'text-muted', cell: (one) => <Sent of={one} /> },
  { key: 'state', title: messages.state, cell: (one) => <InvitationState of={one} /> },
  { key: 'menu', title: messages.actions, cellClassName: 'text-right', cell: (one) => <InvitationMenu of={one} /> },
]
