import { useState } from 'react'
import { toast } from 'sonner'
import { catalogue } from '@clear-to-post/contract/catalogue'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { couponOf, wrongOf, type WrittenCoupon } from './coupon-form.ts'
import { messages } from './messages.ts'
import { catalogueChanged } from './product-menu.tsx'

/** A new coupon: its code, what it takes off, and until when. */
export const CouponDialog = ({ onClose }: { onClose: () => void }) => {
  const [coupon, setCoupon] = useState<WrittenCoupon>({
    code: '',
    kind: 'percent',
    value: '',
    months: '',
    lastDay: '',
    mostUses: '',
  })
  const [isAsked, setAsked] = useState(false)
  const wrong = isAsked ? wrongOf(coupon, new Date()) : {}
  const write = (part: Partial<WrittenCoupon>) => setCoupon((before) => ({ ...before, ...part }))
  const create = useCall(catalogue.createCoupon, {
    onSuccess: ({ id }) => {
      toast.success(messages.couponMade(id))
      onClose()
    },
    onSettled: catalogueChanged,
  })
  const submit = () => {
    setAsked(true)
    if (Object.keys(wrongOf(coupon, new Date())).length === 0) create.mutate({ body: couponOf(coupon) })
  }
  return (
    <FormDialog
      title={messages.newCoupon}
      size="medium"
      submit={messages.makeCoupon}
      cancel={messages.cancel}
      problem={create.isError && failureWords(create.error)}
      isPending={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={messages.code}
        hint={messages.codeHint}
        value={coupon.code}
        onChange={(code) => write({ code: code.toUpperCase() })}
        error={wrong.code}
        maxLength={40}
        autoComplete="off"
        spellCheck="false"
        autoFocus
        className="[&_input]:font-mono"
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Select
          label={messages.takes}
          value={coupon.kind}
          options={(['percent', 'amount'] as const).map((value) => ({ value, label: messages.kinds[value] }))}
          onChange={(kind) => write({ kind })}
        />
        <TextField
          label={coupon.kind === 'percent' ? messages.percent : messages.amount}
          value={coupon.value}
          onChange={(value) => write({ value })}
          error={wrong.value}
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField
          label={messages.lasts}
          hint={messages.lastsHint}
          value={coupon.months}
          onChange={(months) => write({ months })}
          error={wrong.months}
          inputMode="numeric"
          isRequired={false}
          autoComplete="off"
        />
        <TextField
          label={messages.mostUses}
          hint={messages.mostUsesHint}
          value={coupon.mostUses}
          onChange={(mostUses) => write({ mostUses })}
          error={wrong.mostUses}
          inputMode="numeric"
          isRequired={false}
          autoComplete="off"
        />
        <TextField
          label={messages.lastDay}
          hint={messages.lastDayHint}
          value={coupon.lastDay}
          onChange={(lastDay) => write({ lastDay })}
          error={wrong.lastDay}
          type="date"
          isRequired={false}
        />
      </div>
    </FormDialog>
  )
}
