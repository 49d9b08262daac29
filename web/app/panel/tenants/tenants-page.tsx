import { getRouteApi, Navigate } from '@tanstack/react-router'
import { Building2, Plus } from 'lucide-react'
import { tenants, type Tenant } from '@clear-to-post/contract/tenants'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMay, useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { RowList, RowsLoading, type RowParts } from '../../ui/listed.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { CsvButton } from '../csv-button.tsx'
import { ListPage } from '../list-page.tsx'
import { searchFilter } from '../search-filter.tsx'
import { useFilters } from '../use-filters.ts'
import { CopyInvitation } from './invitation.tsx'
import { messages } from './messages.ts'
import { Seats } from './seats.tsx'
import { TenantIcon } from './tenant-icon.tsx'

const route = getRouteApi('/panel/tenants')

/** The companies: how full, on which plan, and the link that invites. Whoever runs one is led to it. */
export const TenantsPage = () => {
  const { tenantId = '' } = useUser()
  return useMay('tenant.create') ? <Companies /> : <Navigate to={paths.tenant} params={{ tenantId }} replace />
}

const Companies = () => {
  const filters = useFilters(route.useSearch())
  const { q } = filters.search
  const asked = { orderBy: 'name:asc', ...(q ? { wheres: [`name:contains:${q}`] } : {}) }
  const list = usePages(tenants.list, { perPage: 50, ...asked })
  const create = (
    <LinkButton to={paths.tenant} params={{ tenantId: 'new' }} variant="primary" icon={<Plus aria-hidden />}>
      {messages.create}
    </LinkButton>
  )
  return (
    <ListPage
      words={messages}
      icon={Building2}
      create={
        <>
          {create}
          <CsvButton shape={tenants.list} asked={asked} columns={csv} name="companies" />
        </>
      }
      emptyAction={create}
      filter={searchFilter(messages, filters)}
      list={list}
      loading={<RowsLoading count={5} hasPicture />}
    >
      {(companies) => <RowList label={messages.list} items={companies} row={row} />}
    </ListPage>
  )
}

const csv = [
  { title: messages.company, text: ({ name }: Tenant) => name },
  { title: messages.plan, text: ({ subscription }: Tenant) => subscription?.product.name ?? '' },
  { title: messages.seatsTaken, text: ({ currentUsersSize = 0 }: Tenant) => String(currentUsersSize) },
  { title: messages.seats, text: ({ totalUsersAllowed }: Tenant) => String(totalUsersAllowed) },
  { title: messages.activeNow, text: ({ isActive }: Tenant) => (isActive ? messages.yes : messages.no) },
]

const row: RowParts<Tenant> = {
  link: ({ id }) => ({ to: paths.tenant, params: { tenantId: id } }),
  picture: (tenant) => <TenantIcon tenant={tenant} />,
  name: ({ name }) => name,
  badge: ({ isActive }) => !isActive && <Badge tone="warn">{messages.inactive}</Badge>,
  text: ({ subscription }) => subscription?.product.name ?? messages.noPlan,
  facts: ({ currentUsersSize = 0, totalUsersAllowed }) => (
    <Seats used={currentUsersSize} allowed={totalUsersAllowed} className="max-w-44" />
  ),
  menu: (tenant) => <CopyInvitation tenant={tenant} isSmall />,
}
