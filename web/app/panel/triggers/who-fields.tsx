import { useQuery } from '@tanstack/react-query'
import { useMay, useUser } from '../../session.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { companiesQuery } from '../accounts/use-people.ts'
import { messages } from './messages.ts'
import type { CriteriaType, PartProps } from './trigger-data.ts'
import { useProducts } from './use-triggers.ts'

/** Whom a trigger means: one of four criteria, within companies. */
export const WhoFields = ({ form, problems, onChange, isDisabled }: PartProps) => {
  const { tenantId } = useUser()
  const companies = useQuery({ ...companiesQuery, enabled: useMay('tenant.list') })
  const products = useProducts()
  const named = new Set(products.data?.map(({ id }) => id))
  const plans = [
    ...(products.data ?? []).map(({ id, name }) => ({ id, name })),
    // One that is no longer sold stays named, so that it can be taken out.
    ...form.productIds.filter((id) => !named.has(id)).map((id) => ({ id, name: id })),
  ]
  return (
    <>
      <div className="flex flex-wrap items-start gap-5">
        <Select
          label={messages.criteria}
          value={form.criteria}
          options={(Object.keys(messages.criterias) as CriteriaType[]).map((value) => ({
            value,
            label: messages.criterias[value],
          }))}
          onChange={(criteria) => onChange({ criteria })}
          isDisabled={isDisabled}
          className="min-w-60 flex-1"
        />
        {form.criteria === 'noProjects' && (
          <NumberField
            label={messages.days}
            value={form.days}
            onChange={(days) => Number.isFinite(days) && onChange({ days })}
            minValue={1}
            maxValue={3650}
            isDisabled={isDisabled}
          />
        )}
      </div>
      {form.criteria === 'usersFromTier' && (
        <Many
          label={messages.products}
          error={problems.products}
          hint={products.isError ? messages.productsFailed : undefined}
          options={plans}
          chosen={form.productIds}
          onChange={(productIds) => onChange({ productIds })}
          isDisabled={isDisabled}
        />
      )}
      {tenantId === undefined ? (
        companies.isLoading ? (
          // As high as they are in one line: what stands below stays where it is.
          <Skeleton className="h-15.5" />
        ) : (
          companies.data !== undefined &&
          companies.data.items.length > 0 && (
            <Many
              label={messages.companies}
              hint={messages.companiesHint}
              options={companies.data.items}
              chosen={form.companies}
              onChange={(chosen) => onChange({ companies: chosen })}
              isDisabled={isDisabled}
            />
          )
        )
      ) : (
        <p className="text-muted">{messages.ownCompany}</p>
      )}
    </>
  )
}

const Many = ({
  label,
  hint,
  error,
  options,
  chosen,
  onChange,
  isDisabled,
}: {
  label: string
  hint?: string | undefined
  error?: string | undefined
  options: readonly { id: string; name: string }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  isDisabled: boolean
}) => (
  <fieldset className="grid gap-1">
    <legend className="text-[0.8125rem] font-medium">{label}</legend>
    {(error ?? hint) && (
      <p role={error ? 'alert' : undefined} className={`text-[0.8125rem] ${error ? 'text-danger' : 'text-muted'}`}>
        {error ?? hint}
      </p>
    )}
    <div className="flex max-h-60 flex-wrap gap-x-6 gap-y-1 overflow-y-auto p-1">
      {options.map(({ id, name }) => (
        <Checkbox
          key={id}
          isSelected={chosen.includes(id)}
          isDisabled={isDisabled}
          onChange={(isTicked) =>
            // In the options' own order, so that ticking back and forth changes nothing.
            onChange(options.map((one) => one.id).filter((one) => (one === id ? isTicked : chosen.includes(one))))
          }
        >
          {name}
        </Checkbox>
      ))}
    </div>
  </fieldset>
)
