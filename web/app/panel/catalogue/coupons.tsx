import { useState } from 'react'
import { Ban, Plus } from 'lucide-react'
import { toast } from 'sonner'
import { catalogue, type Coupon } from '@clear-to-post/contract/catalogue'
import { useCall } from '../../api.ts'
import { dayWords } from '../../times.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable, Nothing, type Column } from '../../ui/data-table.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { CouponDialog } from './coupon-dialog.tsx'
import { messages } from './messages.ts'
import { offWords } from './off-words.ts'
import { catalogueChanged } from './product-menu.tsx'

/** Every coupon: what it takes off, for how long, how often it was used, and whom it is for. */
export const CouponSection = ({ coupons }: { coupons: readonly Coupon[] }) => {
  const [isMaking, setMaking] = useState(false)
  return (
    <section aria-labelledby="coupons" className="mt-4 grid gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="coupons" className="text-base">
            {messages.coupons}
          </h2>
          <p className="max-w-prose text-muted">{messages.couponsText}</p>
        </div>
        <Button icon={<Plus aria-hidden />} onPress={() => setMaking(true)}>
          {messages.newCoupon}
        </Button>
      </div>
      {coupons.length === 0 ? (
        <p className="text-muted">{messages.couponsEmpty}</p>
      ) : (
        <DataTable label={messages.coupons} rows={coupons} columns={columns} card={(one) => <CouponCard of={one} />} />
      )}
      {isMaking && <CouponDialog onClose={() => setMaking(false)} />}
    </section>
  )
}

const CouponState = ({ of: { state } }: { of: Coupon }) => (
  <Badge tone={state === 'usable' ? 'good' : 'plain'}>{messages.couponStates[state]}</Badge>
)

const forWords = ({ usedBy }: Coupon): string =>
  usedBy.length === 0 ? messages.usedByNobody : messages.usedBy(usedBy.join(', '))

const lastWords = ({ redeemBy }: Coupon): string | null =>
  // It can be used before that moment: its last day is the one before.
  redeemBy === null ? null : messages.until(dayWords(new Date(Date.parse(redeemBy) - 1).toISOString()))

const CouponMenu = ({ of: { id } }: { of: Coupon }) => {
  const retire = useCall(catalogue.retireCoupon, {
    onSuccess: () => void toast.success(messages.couponRetired(id)),
    onError: toastFailure,
    onSettled: catalogueChanged,
  })
  return (
    <ActionMenu
      label={messages.actionsOf(id)}
      isPending={retire.isPending}
      actions={[
        {
          label: messages.retireCoupon,
          icon: Ban,
          isDanger: true,
          onAction: () => retire.mutate({ params: { couponId: id } }),
          confirm: { title: messages.retireTitle(id), text: messages.retireText, keep: messages.keepCoupon },
        },
      ]}
    />
  )
}

const CouponCard = ({ of: one }: { of: Coupon }) => (
  <>
    <div className="grid min-w-0 flex-1 gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-mono font-medium [overflow-wrap:anywhere]">{one.id}</span>
        <CouponState of={one} />
      </p>
      <p>{offWords(one)}</p>
      <p className="text-[0.8125rem] text-muted">
        {[messages.uses(one.uses, one.mostUses), lastWords(one), forWords(one)].filter(Boolean).join(' · ')}
      </p>
    </div>
    {one.state === 'usable' && <CouponMenu of={one} />}
  </>
)

const columns: Column<Coupon>[] = [
  {
    key: 'code',
    title: messages.code,
    cellClassName: 'font-mono font-medium! [overflow-wrap:anywhere]',
    cell: ({ id }) => id,
  },
  { key: 'state', title: messages.state, cell: (one) => <CouponState of={one} /> },
  { key: 'off', title: messages.takes, cell: offWords },
  {
    key: 'for',
    title: messages.whose,
    headClassName: 'w-[26%]',
    cell: ({ usedBy }) => usedBy.join(', ') || <Nothing />,
  },
  { key: 'uses', title: messages.used, cellClassName: 'figures', cell: (one) => messages.uses(one.uses, one.mostUses) },
  { key: 'until', title: messages.lastDay, cell: (one) => lastWords(one) ?? <Nothing /> },
  {
    key: 'menu',
    title: messages.actions,
    cellClassName: 'text-right',
    cell: (one) => (one.state === 'usable' ? <CouponMenu of={one} /> : null),
  },
]
