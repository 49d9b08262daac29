import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import type { Person } from '@clear-to-post/contract/accounts'
import { Refusal } from '@clear-to-post/contract/errors'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Progress } from '../../ui/progress.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { Card } from './card.tsx'
import { messages } from './messages.ts'

/** An officer's plan and what of this month is used. */
export const PlanCard = ({ person: { id, tenantName } }: { person: Person }) => {
  const plan = useQuery({ ...query(subscriptions.find, { params: { userId: id } }), retry: false })
  const allowance = useQuery(query(projects.allowanceOf, { params: { userId: id } }))
  const hasNone = plan.error instanceof Refusal && plan.error.code === 'subscription.none'
  const isKnown = (hasNone || plan.data !== undefined) && allowance.data !== undefined
  return (
    <Card
      id="plan"
      title={messages.planTitle}
      more={
        <Link to={paths.plan} search={{ person: id }} className="underline underline-offset-2">
          {messages.plan}
        </Link>
      }
    >
      <Loaded
        answer={{
          data: isKnown ? allowance.data.months[0] : undefined,
          error: hasNone ? allowance.error : (plan.error ?? allowance.error),
          refetch: () => Promise.all([plan.refetch(), allowance.refetch()]),
        }}
        failed={messages.planFailed}
        isSmall
        loading={<Skeleton className="h-12" />}
      >
        {(month) => (
          <>
            {plan.data ? (
              <p>
                <span className="font-medium">{plan.data.product.name}</span>
                {plan.data.type === ofCompany ? (
                  <span className="text-muted"> · {messages.ofCompany(tenantName)}</span>
                ) : (
                  plan.data.plan && (
                    <span className="text-muted">
                      {' '}
                      ·{' '}
                      {messages.price(
                        moneyWords(plan.data.plan.price, plan.data.plan.currency),
                        plan.data.plan.interval,
                      )}
                    </span>
                  )
                )}
              </p>
            ) : (
              <p className="text-muted">{messages.noPlan}</p>
            )}
            {month.allowed > 0 && (
              <Progress
                label={messages.used(month.used, month.allowed)}
                value={Math.min(1, month.used / month.allowed)}
                tone={month.used >= month.allowed ? 'warn' : 'primary'}
              />
            )}
            {month.right === 'free' && <p className="text-muted">{messages.freeLeft}</p>}
            {month.right === 'none' && <p className="text-warn">{messages.noneLeft}</p>}
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** `Subscription.type` of a plan that a company pays for its people. */
const ofCompany = 1
