import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CreditCard } from 'lucide-react'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { offerWithoutPlan, type OfferWithoutPlan } from '@clear-to-post/domain/plans'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { PageHead } from '../page-head.tsx'
import { Charges } from './charges.tsx'
import { messages } from './messages.ts'
import { PlanAwaiting } from './plan-awaiting.tsx'
import { PlanCard } from './plan-card.tsx'
import { PlanColumns } from './plan-columns.tsx'
import { CompanyPlan, PersonPlan } from './plan-of.tsx'
import { planChanged } from './settled.ts'
import { UsageCard } from './usage-card.tsx'

const route = getRouteApi('/panel/plan')

/** One's own plan; for an admin, with `?person=` or `?company=`, anybody's, to look at. */
export const PlanPage = () => {
  const { person, company } = route.useSearch()
  if (person !== undefined) return <PersonPlan userId={String(person)} />
  if (company !== undefined) return <CompanyPlan tenantId={String(company)} />
  return <OwnPlan />
}

const OwnPlan = () => {
  const bought = route.useSearch().bought === 'yes'
  const navigate = route.useNavigate()
  const active = useQuery({
    ...query(subscriptions.active, {}),
    retry: false,
    // What was just paid is on its way.
    refetchInterval: ({ state }) => (bought && state.data === undefined ? 1500 : false),
  })
  const buysOwn = useMay('plan.buy')
  const buysForCompany = useMay('company-plan.buy')
  const mayBuy = buysOwn || buysForCompany
  const charges = useQuery({ ...query(subscriptions.charges, {}), enabled: mayBuy })
  const free = useQuery({ ...query(projects.free, {}), enabled: buysOwn })
  const hadPlan = (charges.data?.length ?? 0) > 0
  const isNone = active.error instanceof Refusal && active.error.code === 'subscription.none'
  useEffect(() => {
    if (!bought || active.data === undefined) return
    toast.success(messages.arrived)
    planChanged()
    void navigate({ search: {}, replace: true })
  }, [bought, active.data, navigate])
  return (
    <>
      <PageHead title={messages.title} />
      <PlanColumns plan={active} charges={mayBuy && <Charges found={charges} />}>
        {active.data ? (
          <>
            <PlanCard subscription={active.data} />
            {buysOwn && <UsageCard subscription={active.data} />}
          </>
        ) : bought && isNone ? (
          <p role="status" className="rounded-card border border-line bg-surface p-5">
            {messages.arriving}
          </p>
        ) : isNone ? (
          <NoPlan
            hadPlan={hadPlan}
            offer={offerWithoutPlan({
              buysOwn,
              buysForCompany,
              hasFreeVideo: free.data?.canCreate ?? false,
              hadPlan,
            })}
          />
        ) : (
          <PlanAwaiting answer={active} />
        )}
      </PlanColumns>
    </>
  )
}

/** Nothing runs: why, and where a plan is bought. */
const NoPlan = ({ offer, hadPlan }: { offer: OfferWithoutPlan; hadPlan: boolean }) => (
  <EmptyState
    icon={<CreditCard aria-hidden />}
    title={offer === 'none' ? messages.noneStaffTitle : hadPlan ? messages.noneNowTitle : messages.noneTitle}
    text={messages.offers[offer]}
    action={
      offer === 'none' ? undefined : (
        <LinkButton to={paths.plans} variant="primary">
          {messages.toPlans}
        </LinkButton>
      )
    }
  />
)
