import { getRouteApi, Navigate } from '@tanstack/react-router'
import { Building2, Plus } from 'lucide-react'
import { tenants, type Tenant } from '@clear-to-post/contract/tenants'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMay, useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { RowList, RowsLoading, type RowParts } from '../../ui/listed.tsx'
import { Badge } from '../../ui/status-chip.tsx'
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
  const list = usePages(tenants.list, {
    perPage: 50,
    orderBy: 'name:asc',
    ...(q ? { wheres: [`name:contains:${q}`] } : {}),
  })
  return (
    <ListPage
      words={messages}
      icon={Building2}
      create={
        <LinkButton to={paths.tenant} params={{ tenantId: 'new' }} variant="primary" icon={<Plus aria-hidden />}>
          {messages.create}
        </LinkButton>
      }
      filter={searchFilter(messages, filters)}
      list={list}
      loading={<RowsLoading count={5} hasPicture />}
    >
      {(companies) => <RowList label={messages.list} items={companies} row={row} />}
    </ListPage>
  )
}

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
