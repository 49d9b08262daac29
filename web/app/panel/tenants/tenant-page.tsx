import { getRouteApi } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { tenants, type Tenant } from '@clear-to-post/contract/tenants'
import { query } from '../../api.ts'
import { isMissing } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Awaiting, EmptyState, Skeleton } from '../../ui/states.tsx'
import { PageHead } from '../page-head.tsx'
import { CopyInvitation } from './invitation.tsx'
import { messages } from './messages.ts'
import { TenantForm } from './tenant-form.tsx'

const route = getRouteApi('/panel/tenants/$tenantId')

/** One company, or a new one. */
export const TenantPage = () => {
  const user = useUser()
  const { tenantId } = route.useParams()
  // A company's own admin opens none.
  const isNew = tenantId === 'new' && user.tenantId === undefined
  const found = useQuery({ ...query(tenants.find, { params: { tenantId } }), enabled: !isNew })
  return (
    <>
      <PageHead
        title={isNew ? messages.newTitle : (found.data?.name ?? messages.company)}
        back={{ to: paths.tenants, label: messages.back }}
        actions={
          found.data && (
            <>
              <LinkButton
                to={paths.plan}
                search={user.tenantId === tenantId ? {} : { company: tenantId }}
                variant="quiet"
              >
                {messages.planAndCharges}
              </LinkButton>
              <CopyInvitation tenant={found.data} />
            </>
          )
        }
      />
      <div className="mx-auto max-w-7xl px-4 py-5 md:px-6">
        {isNew || found.data ? (
          <TenantForm key={tenantId} tenant={found.data ?? blank} isNew={isNew} />
        ) : isMissing(found.error) ? (
          <EmptyState
            title={messages.missingTitle}
            text={messages.missingText}
            action={<LinkButton to={paths.tenants}>{messages.toList}</LinkButton>}
          />
        ) : (
          <Awaiting answer={found} failed={messages.oneFailed}>
            <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_26rem]">
              <div className="grid gap-5">
                <Skeleton className="h-72 rounded-card" />
                <Skeleton className="h-80 rounded-card" />
              </div>
              <Skeleton className="h-96 rounded-card" />
            </div>
          </Awaiting>
        )}
      </div>
    </>
  )
}

const blank: Tenant = {
  id: '',
  name: '',
  isActive: true,
  isSubscriptionActive: false,
  preferences: { iconUrl: '', logoUrl: '', primaryColor: '', secondaryColor: '' },
  inviteCode: '',
  totalUsersAllowed: 10,
  currentUsersSize: 0,
  chargeByEmail: false,
}
