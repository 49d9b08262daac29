import { useQuery } from '@tanstack/react-query'
import { catalogue } from '@clear-to-post/contract/catalogue'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import type { Tenant } from '@clear-to-post/contract/tenants'
import { query } from '../../api.ts'
import { locale } from '../../language.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Listed, listOf } from '../../ui/listed.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { offWords } from '../catalogue/off-words.ts'
import { messages } from './messages.ts'
import type { Form } from './tenant-data.ts'

/** What a company's people may choose, and how it pays. Only the service's own admin sees this. */
export const PlanFields = ({
  tenant,
  form,
  onChange,
}: {
  tenant: Tenant
  form: Form
  onChange: (part: Partial<Form>) => void
}) => {
  const products = useQuery({ ...query(subscriptions.publicProducts, {}), staleTime: 10 * 60_000 })
  const items = products.data ?? []
  const sold = useQuery(query(catalogue.list, {}))
  const coupons = sold.data?.coupons ?? []
  const chosen = coupons.find(({ id }) => id.toUpperCase() === form.defaultCoupomCode.toUpperCase())
  const tick = (id: string, isTicked: boolean) =>
    onChange({
      // In the products' own order, so that ticking back and forth changes nothing.
      allowedProducts: items
        .map((product) => product.id)
        .filter((one) => (one === id ? isTicked : form.allowedProducts.includes(one))),
    })
  const plans = items.flatMap(({ name, plans: all }) =>
    all.map(({ id, price, currency, interval }) => ({
      value: id,
      label: `${name}, ${moneyWords(price, currency)} ${messages.perInterval[interval]}`,
    })),
  )
  return (
    <>
      <fieldset className="grid gap-1">
        <legend className="text-[0.8125rem] font-medium">{messages.products}</legend>
        <p className="mb-1 text-[0.8125rem] text-muted">{messages.productsHint}</p>
        <Listed
          list={listOf(products, (all) => all)}
          failed={messages.productsFailed}
          isSmall
          loading={
            <>
              <Skeleton className="mb-2 h-5 w-40" />
              <Skeleton className="h-5 w-32" />
            </>
          }
          empty={<p className="text-muted">{messages.noProducts}</p>}
        >
          {() => (
            <div className="flex flex-wrap gap-x-6 gap-y-1.5">
              {items.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  isSelected={form.allowedProducts.includes(id)}
                  onChange={(isTicked) => tick(id, isTicked)}
                >
                  {name}
                </Checkbox>
              ))}
            </div>
          )}
        </Listed>
      </fieldset>
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label={messages.defaultPlan}
          value={form.defaultPlanId === '' ? none : form.defaultPlanId}
          options={[{ value: none, label: messages.noDefaultPlan }, ...plans]}
          onChange={(value) => onChange({ defaultPlanId: value === none ? '' : value })}
        />
        <Select
          label={messages.coupon}
          hint={messages.couponHint}
          value={chosen?.id ?? (form.defaultCoupomCode === '' ? none : form.defaultCoupomCode)}
          options={[
            { value: none, label: messages.noCoupon },
            // One that nobody can use any more, or that is not there, is said to be so while the company has it.
            ...(form.defaultCoupomCode !== '' && chosen?.state !== 'usable'
              ? [
                  {
                    value: chosen?.id ?? form.defaultCoupomCode,
                    label: sold.data ? messages.couponGone(form.defaultCoupomCode) : form.defaultCoupomCode,
                  },
                ]
              : []),
            ...coupons
              .filter(({ state }) => state === 'usable')
              .map((one) => ({ value: one.id, label: one.id, detail: offWords(one) })),
          ]}
          onChange={(value) => onChange({ defaultCoupomCode: value === none ? '' : value })}
        />
      </div>
      <Switch
        isSelected={form.chargeByEmail}
        onChange={(chargeByEmail) => onChange({ chargeByEmail })}
        hint={messages.chargeByEmailHint}
      >
        {messages.chargeByEmail}
      </Switch>
      {tenant.id !== '' && (
        <p className="border-t border-line pt-4">
          <span className="text-muted">{messages.subscription}: </span>
          {tenant.subscription
            ? messages.subscriptionLine(tenant.subscription.product.name, tenant.subscription.status)
            : messages.noSubscription}
        </p>
      )}
    </>
  )
}

const none = 'none'

const moneyWords = (cents: number, currency: string): string =>
  (cents / 100).toLocaleString(locale, {
    style: 'currency',
    currency,
    maximumFractionDigits: cents % 100 === 0 ? 0 : 2,
  })
