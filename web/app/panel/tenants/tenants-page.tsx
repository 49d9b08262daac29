import { getRouteApi, Link } from '@tanstack/react-router'
import { Building2, Plus, SearchX } from 'lucide-react'
import { tenants, type Tenant } from '@clear-to-post/contract/tenants'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { rowLink } from '../../ui/data-table.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Awaiting, EmptyState, Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { PageHead } from '../page-head.tsx'
import { CopyInvitation } from './invitation.tsx'
import { messages } from './messages.ts'
import { Seats } from './seats.tsx'
import { TenantIcon } from './tenant-icon.tsx'

const route = getRouteApi('/panel/tenants')

/** The companies: how full, on which plan, and the link that invites. */
export const TenantsPage = () => {
  const { tenantId } = useUser()
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const look = (words: string) =>
    void navigate({ search: words ? { q: words } : {}, replace: true, resetScroll: false })
  const list = usePages(tenants.list, {
    perPage: 50,
    orderBy: 'name:asc',
    ...(q ? { wheres: [`name:contains:${q}`] } : {}),
  })
  const mayCreate = tenantId === undefined
  const create = (
    <LinkButton to={paths.tenant} params={{ tenantId: 'new' }} variant="primary" icon={<Plus aria-hidden />}>
      {messages.create}
    </LinkButton>
  )
  const isEmpty = list.items?.length === 0
  return (
    <>
      <PageHead title={messages.title} actions={mayCreate && !(isEmpty && !q) && create} />
      <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-4 md:px-6">
        {mayCreate && !(isEmpty && !q) && (
          <div role="search">
            <SearchField label={messages.search} value={q ?? ''} onChange={look} className="sm:w-60" />
          </div>
        )}
        {list.items === undefined ? (
          <Awaiting answer={list} failed={messages.failed}>
            <ListSkeleton />
          </Awaiting>
        ) : isEmpty ? (
          q ? (
            <EmptyState
              icon={<SearchX aria-hidden />}
              title={messages.noneTitle}
              text={messages.noneText}
              action={<Button onPress={() => look('')}>{messages.clear}</Button>}
            />
          ) : (
            <EmptyState
              icon={<Building2 aria-hidden />}
              title={messages.emptyTitle}
              text={messages.emptyText}
              action={mayCreate && create}
            />
          )
        ) : (
          <ul aria-label={messages.list} className="divide-y divide-line rounded-card border border-line bg-surface">
            {list.items.map((tenant) => (
              <Row key={tenant.id} tenant={tenant} />
            ))}
          </ul>
        )}
        <MoreButton list={list} />
      </div>
    </>
  )
}

const Row = ({ tenant }: { tenant: Tenant }) => (
  <li className="relative grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-2 px-3 py-3 first:rounded-t-card last:rounded-b-card hover:bg-sunken/60 md:grid-cols-[auto_minmax(0,1fr)_11rem_auto] md:px-4">
    <TenantIcon tenant={tenant} />
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to={paths.tenant}
          params={{ tenantId: tenant.id }}
          className={`font-medium ${rowLink} focus-visible:after:rounded-md`}
        >
          {tenant.name}
        </Link>
        {!tenant.isActive && <Badge tone="warn">{messages.inactive}</Badge>}
      </p>
      <p className="truncate text-[0.8125rem] text-muted">{tenant.subscription?.product.name ?? messages.noPlan}</p>
    </div>
    <Seats
      used={tenant.currentUsersSize ?? 0}
      allowed={tenant.totalUsersAllowed}
      className="max-md:col-start-2 max-md:row-start-2 max-md:max-w-44"
    />
    <span className="relative z-[1] max-md:col-start-3 max-md:row-start-1">
      <CopyInvitation tenant={tenant} isSmall />
    </span>
  </li>
)

const ListSkeleton = () => (
  <div className="divide-y divide-line rounded-card border border-line bg-surface">
    {Array.from({ length: 5 }, (_, row) => (
      <div key={row} className="flex items-center gap-3.5 px-4 py-3.5">
        <Skeleton className="size-10 rounded-lg" />
        <div className="grid gap-2">
          <Skeleton className="h-4 w-48" />
          <Skeleton className="h-3.5 w-24" />
        </div>
        <Skeleton className="ml-auto h-4 w-32 max-md:hidden" />
      </div>
    ))}
  </div>
)
