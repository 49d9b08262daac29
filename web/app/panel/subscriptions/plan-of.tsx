import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accounts } from '@clear-to-post/contract/accounts'
import { Refusal } from '@clear-to-post/contract/errors'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { PageHead } from '../page-head.tsx'
import { Charges } from './charges.tsx'
import { messages } from './messages.ts'
import { PlanAwaiting } from './plan-awaiting.tsx'
import { PlanCard } from './plan-card.tsx'
import { PlanColumns } from './plan-columns.tsx'

/** Another person’s plan and charges, to look at. */
export const PersonPlan = ({ userId }: { userId: string }) => {
  const found = useQuery({ ...query(subscriptions.find, { params: { userId } }), retry: false })
  const charges = useQuery(query(subscriptions.chargesOf, { params: { payerId: userId } }))
  const who = useQuery({ ...query(accounts.search, { query: { wheres: `id:eq:${userId}` } }), retry: false })
  const name = who.data?.items[0]?.name
  return (
    <Seen
      title={name === undefined ? messages.titleOfPerson : messages.titleOf(name)}
      plan={found}
      charges={charges}
      back={{ to: paths.people, label: messages.backToPeople }}
    >
      {found.data ? (
        <PlanCard subscription={found.data} isOwn={false} />
      ) : found.error instanceof Refusal && found.error.code === 'subscription.none' ? (
        <p className="text-muted">{messages.noneOf}</p>
      ) : (
        <PlanAwaiting answer={found} />
      )}
    </Seen>
  )
}

/** A company’s plan and charges, to look at. */
export const CompanyPlan = ({ tenantId }: { tenantId: string }) => {
  const found = useQuery({ ...query(tenants.find, { params: { tenantId } }), retry: false })
  const charges = useQuery(query(subscriptions.chargesOf, { params: { payerId: tenantId } }))
  return (
    <Seen
      title={found.data ? messages.titleOf(found.data.name) : messages.title}
      plan={found}
      charges={charges}
      back={{ to: `${paths.tenants}/${tenantId}`, label: messages.backToCompany }}
    >
      {found.data?.subscription ? (
        <PlanCard subscription={found.data.subscription} isOwn={false} />
      ) : found.data ? (
        <p className="text-muted">{messages.noneOf}</p>
      ) : (
        <PlanAwaiting answer={found} />
      )}
    </Seen>
  )
}

const Seen = ({
  title,
  plan,
  charges,
  back,
  children,
}: {
  title: string
  plan: { isPending: boolean }
  charges: Parameters<typeof Charges>[0]['found']
  back: { to: string; label: string }
  children: ReactNode
}) => (
  <>
    <PageHead title={title} back={back} />
    <PlanColumns plan={plan} charges={<Charges found={charges} />}>
      {children}
    </PlanColumns>
  </>
)
