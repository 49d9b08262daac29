import { getRouteApi, Link } from '@tanstack/react-router'
import { Building2, Plus } from 'lucide-react'
import { tenants, type Tenant } from '@clear-to-post/contract/tenants'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { rowLink } from '../../ui/table-look.ts'
import { RowList, RowsLoading, TwoLines } from '../../ui/listed.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { ListPage, NothingFits } from '../list-page.tsx'
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
  return (
    <ListPage
      title={messages.title}
      create={mayCreate && create}
      filter={{
        isOn: q !== undefined,
        needsRows: true,
        fields: mayCreate && (
          <div role="search">
            <SearchField label={messages.search} value={q ?? ''} onChange={look} className="sm:w-60" />
          </div>
        ),
        none: (
          <NothingFits
            title={messages.noneTitle}
            text={messages.noneText}
            clear={messages.clear}
            onClear={() => look('')}
          />
        ),
      }}
      list={list}
      failed={messages.failed}
      loading={
        <RowsLoading count={5} row="gap-3.5 py-3.5">
          <Skeleton className="size-10 rounded-lg" />
          <TwoLines first="w-48" second="w-24" />
          <Skeleton className="ml-auto h-4 w-32 max-md:hidden" />
        </RowsLoading>
      }
      empty={
        <EmptyState
          icon={<Building2 aria-hidden />}
          title={messages.emptyTitle}
          text={messages.emptyText}
          action={mayCreate && create}
        />
      }
    >
      {(companies) => (
        <RowList label={messages.list} items={companies} columns={columns}>
          {(tenant) => <Row tenant={tenant} />}
        </RowList>
      )}
    </ListPage>
  )
}

const columns =
  'grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-2 md:grid-cols-[auto_minmax(0,1fr)_11rem_auto]'

const Row = ({ tenant }: { tenant: Tenant }) => (
  <>
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
  </>
)
