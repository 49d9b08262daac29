import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Select } from '../../ui/select.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { isChanged, newPlan, priceOf, type WrittenPlan } from './form.ts'
import { messages } from './messages.ts'

/** A product's plans: prices, periods and quotas, and what stays for whoever has one. */
export const PlanFields = ({
  plans,
  isAsked,
  onChange,
}: {
  plans: readonly WrittenPlan[]
  /** It was to be saved: what is wrong is said. */
  isAsked: boolean
  onChange: (plans: WrittenPlan[]) => void
}) => {
  const change = (key: string, part: Partial<WrittenPlan>) =>
    onChange(plans.map((plan) => (plan.key === key ? { ...plan, ...part } : plan)))
  const doubled = (['month', 'year'] as const).filter(
    (interval) => plans.filter((plan) => plan.interval === interval).length > 1,
  )
  return (
    <FormCard id="plans" title={messages.plans} text={messages.plansText}>
      <ul className="grid gap-5">
        {plans.map((plan, i) => (
          <li
            key={plan.key}
            aria-label={messages.plan(i + 1)}
            className="grid gap-4 rounded-control border border-line p-4"
          >
            <div className="flex min-h-9 items-center justify-between gap-3">
              <h3 className="text-[0.9375rem]">{messages.plan(i + 1)}</h3>
              {plans.length > 1 && (
                <IconButton
                  label={messages.removePlan(i + 1)}
                  onPress={() => onChange(plans.filter(({ key }) => key !== plan.key))}
                  className="text-muted"
                >
                  <Trash2 aria-hidden />
                </IconButton>
              )}
            </div>
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <TextField
                id={`price-${plan.key}`}
                label={messages.price}
                hint={messages.priceHint}
                value={plan.price}
                onChange={(price) => change(plan.key, { price })}
                error={isAsked && priceOf(plan) === null ? messages.wrongPrice : undefined}
                inputMode="decimal"
                autoComplete="off"
              />
              <Select
                label={messages.interval}
                value={plan.interval}
                options={(['month', 'year'] as const).map((value) => ({ value, label: messages.intervals[value] }))}
                onChange={(interval) => change(plan.key, { interval })}
              />
            </div>
            <div className="flex flex-wrap gap-x-6 gap-y-4">
              {quotas.map(({ part, least, most }) => (
                <NumberField
                  key={part}
                  label={messages[part]}
                  value={plan[part]}
                  onChange={(value) => Number.isFinite(value) && change(plan.key, { [part]: value })}
                  minValue={least}
                  maxValue={most}
                />
              ))}
            </div>
            {plan.before && plan.before.subscribers > 0 && isChanged(plan) && (
              <p role="status" className="rounded-control bg-sunken px-3 py-2 text-[0.8125rem]">
                {messages.keeps(
                  plan.before.subscribers,
                  `${messages.planLine(moneyWords(plan.before.price, plan.before.currency), plan.before.interval)}, ${messages.videos(plan.before.projectsPerMonth)}`,
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
      {doubled.map((interval) => (
        <p key={interval} role="status" className="text-muted">
          {messages.samePeriod(interval)}
        </p>
      ))}
      {plans.length < 10 && (
        <Button
          icon={<Plus aria-hidden />}
          onPress={() => onChange([...plans, newPlan(plans)])}
          className="justify-self-start"
        >
          {messages.addPlan}
        </Button>
      )}
    </FormCard>
  )
}

const quotas = [
  { part: 'projectsPerMonth', least: 1, most: 1000 },
  { part: 'revisionsPerProject', least: 0, most: 100 },
  { part: 'turnaroundHours', least: 1, most: 720 },
] as const
