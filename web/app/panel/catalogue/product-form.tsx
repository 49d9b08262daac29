import { useRef, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import { catalogue, type Coupon, type SoldProduct } from '@clear-to-post/contract/catalogue'
import { keyOf, queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { ChangedMeanwhile, useMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormCard, LongForm } from '../../ui/form-card.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useWritten } from '../../ui/use-written.ts'
import { TwoColumns } from '../two-columns.tsx'
import { CardPreview } from './card-preview.tsx'
import { formOf, priceOf, readOf, writtenOf, type Written } from './form.ts'
import { messages } from './messages.ts'
import { PlanFields } from './plan-fields.tsx'
import { catalogueChanged } from './product-menu.tsx'

/** What stands on a product's card, and its plans. */
export const ProductForm = ({
  product,
  products,
  coupons,
}: {
  /** Undefined: a new one. */
  product: SoldProduct | undefined
  products: readonly SoldProduct[]
  coupons: readonly Coupon[]
}) => {
  const navigate = useNavigate()
  const [fresh] = useState(() => writtenOf(undefined, lastOf(products) + 1))
  const kept = product ? writtenOf(product, product.position) : fresh
  const { form, written, from, write, forget } = useWritten(kept, product)
  const [isAsked, setAsked] = useState(false)
  const [failure, setFailure] = useState<string>()
  const name = useRef<HTMLInputElement>(null)
  const change = (part: Partial<Written>) => {
    setFailure(undefined)
    write(part)
  }
  const seen = (changed: SoldProduct) => {
    queryClient.setQueryData<{ products: SoldProduct[]; coupons: Coupon[] }>(
      keyOf(catalogue.list, {}),
      (all) =>
        all && {
          ...all,
          products: [...all.products.filter(({ id }) => id !== changed.id), changed],
        },
    )
    catalogueChanged()
  }
  const failed = (error: Error) => {
    setFailure(failureWords(error))
    // It may be another one by now: what was written stays over it.
    catalogueChanged()
  }
  const { now, onError } = useMeanwhile({ from, current: product }, 'product.changed', () =>
    queryClient.invalidateQueries({ queryKey: ['catalogue'] }),
  )
  const update = useCall(catalogue.updateProduct, {
    onSuccess: (changed) => {
      seen(changed)
      forget()
      toast.success(messages.saved)
    },
    onError: (error) => {
      failed(error)
      onError(error)
    },
  })
  const create = useCall(catalogue.createProduct, {
    onSuccess: (made) => {
      seen(made)
      toast.success(messages.created(made.name))
      void navigate({ to: paths.product, params: { productId: made.id }, replace: true })
    },
    onError: failed,
  })
  const isUnsaved = !product || JSON.stringify({ ...kept, ...written }) !== JSON.stringify(kept)
  const submit = () => {
    setAsked(true)
    const body = formOf(form)
    if (form.name.trim() === '') return name.current?.focus()
    if (body === null) {
      const wrong = form.plans.find((plan) => priceOf(plan) === null)
      return document.getElementById(`price-${wrong?.key}`)?.focus()
    }
    if (now) update.mutate({ params: { productId: now.id }, body: { ...body, version: now.version } })
    else create.mutate({ body })
  }
  const chosen = coupons.find(({ id }) => id === form.couponId)
  const usable = coupons.filter(({ id, state }) => state === 'usable' || id === kept.couponId)
  return (
    <LongForm
      isUnsaved={isUnsaved}
      isPending={update.isPending || create.isPending}
      failure={failure}
      create={!product && messages.createIt}
      onSave={submit}
      onUndo={() => {
        forget()
        setAsked(false)
        setFailure(undefined)
      }}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]"
      footClassName="order-3 -mx-4 md:-mx-6 md:px-6 lg:col-span-2"
    >
      <TwoColumns>
        <FormCard id="card" title={messages.card}>
          {from && now && (
            <ChangedMeanwhile
              from={readOf(from)}
              now={readOf(now)}
              titles={messages.isNow}
              say={{ isActive: (isActive) => (isActive ? messages.onSale : messages.notOnSale) }}
            />
          )}
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <TextField
              label={messages.name}
              value={form.name}
              onChange={(text) => change({ name: text })}
              error={isAsked && form.name.trim() === '' ? messages.needName : undefined}
              inputRef={name}
              maxLength={80}
              autoComplete="off"
              autoFocus={!product}
            />
            <TextField
              label={messages.subtitle}
              value={form.subtitle}
              onChange={(subtitle) => change({ subtitle })}
              maxLength={120}
              isRequired={false}
              autoComplete="off"
            />
            <TextField
              label={messages.description}
              hint={messages.descriptionHint}
              value={form.description}
              onChange={(description) => change({ description })}
              maxLength={500}
              isRequired={false}
              autoComplete="off"
              className="sm:col-span-2"
            />
            <Select
              label={messages.coupon}
              hint={messages.couponHint}
              value={form.couponId === '' ? none : form.couponId}
              options={[
                { value: none, label: messages.noCoupon },
                ...usable.map(({ id, state }) => ({
                  value: id,
                  label: state === 'usable' ? id : messages.couponGone(id),
                })),
              ]}
              onChange={(value) => change({ couponId: value === none ? '' : value })}
            />
            <NumberField
              label={messages.position}
              hint={messages.positionHint}
              value={form.position}
              onChange={(position) => Number.isFinite(position) && change({ position })}
              minValue={0}
              maxValue={10_000}
            />
          </div>
          <Switch isSelected={form.isActive} onChange={(isActive) => change({ isActive })} hint={messages.isActiveHint}>
            {messages.isActive}
          </Switch>
        </FormCard>
        <PlanFields plans={form.plans} isAsked={isAsked} onChange={(plans) => change({ plans })} />
      </TwoColumns>
      <CardPreview written={form} coupon={chosen} />
    </LongForm>
  )
}

const none = 'none '

const lastOf = (products: readonly SoldProduct[]): number =>
  products.reduce((last, { position }) => Math.max(last, Math.floor(position)), 0)
