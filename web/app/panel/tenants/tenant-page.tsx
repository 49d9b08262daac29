import { getRouteApi } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { tenants, type Tenant } from '@clear-to-post/contract/tenants'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMay, useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { DetailPage } from '../detail-page.tsx'
import { TwoColumns } from '../two-columns.tsx'
import { useLedTo } from '../use-led-to.ts'
import { CopyInvitation } from './invitation.tsx'
import { messages } from './messages.ts'
import { SetUpCard, useSetUp } from './set-up-card.tsx'
import { TenantForm } from './tenant-form.tsx'

const route = getRouteApi('/panel/tenants/$tenantId')

/** One company, or a new one. */
export const TenantPage = () => {
  const user = useUser()
  const mayCreate = useMay('tenant.create')
  const { tenantId } = route.useParams()
  // A company's own admin opens none.
  const isNew = tenantId === 'new' && mayCreate
  const found = useQuery({ ...query(tenants.find, { params: { tenantId } }), enabled: !isNew })
  const setUp = useSetUp(isNew ? undefined : tenantId)
  useLedTo(found.data !== undefined && setUp.isKnown)
  return (
    <DetailPage
      title={isNew ? messages.newTitle : (found.data?.name ?? messages.company)}
      back={{ to: paths.tenants, label: messages.back }}
      isTop={user.tenantId === tenantId}
      actions={(tenant) => (
        <>
          <LinkButton to={paths.plan} search={user.tenantId === tenantId ? {} : { company: tenantId }} variant="quiet">
            {messages.planAndCharges}
          </LinkButton>
          <CopyInvitation tenant={tenant} />
        </>
      )}
      found={setUp.isKnown ? found : { ...found, data: undefined }}
      isNew={isNew}
      missing={{ title: messages.missingTitle, text: messages.missingText, toList: messages.toList }}
      failed={messages.oneFailed}
      loading={
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_26rem]">
          <TwoColumns>
            <Skeleton className="h-72 rounded-card" />
            <Skeleton className="h-80 rounded-card" />
          </TwoColumns>
          <Skeleton className="h-96 rounded-card" />
        </div>
      }
    >
      {(tenant) => (
        <>
          {tenant && setUp.steps && <SetUpCard tenantId={tenantId} steps={setUp.steps} isHome />}
          <TenantForm key={tenantId} tenant={tenant ?? blank} isNew={isNew} />
        </>
      )}
    </DetailPage>
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
