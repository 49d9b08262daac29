import { useState } from 'react'
import { toast } from 'sonner'
import { subscriptions, type Payment } from '@clear-to-post/contract/subscriptions'
import { queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { dayWords } from '../../times.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'

/** A part of a payment, the way that it goes back, and why. */
export const GiveBackDialog = ({ payment, onClose }: { payment: Payment; onClose: () => void }) => {
  const { id, payer, left = 0, currency = 'usd', ways, refunds } = payment
  const [written, setWritten] = useState('')
  const [way, setWay] = useState(ways[0]!)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<{ amount?: string; reason?: string }>({})
  const give = useCall(subscriptions.giveBack, {
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['subscriptions'] })
      toast.success(messages.given(moneyWords(amount, currency), payer.name))
      onClose()
    },
  })
  const amount = Math.round(Number(written.replace(/[$,\s]/g, '')) * 100)
  const submit = () => {
    const found = {
      ...(Number.isInteger(amount) && amount > 0 && amount <= left
        ? {}
        : { amount: messages.needAmount(moneyWords(left, currency)) }),
      ...(reason.trim() === '' ? { reason: messages.needReason } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length === 0)
      give.mutate({ params: { chargeId: id }, body: { amount, way, reason: reason.trim() } })
  }
  return (
    <FormDialog
      title={messages.giveBackTitle(payer.name)}
      submit={messages.give}
      cancel={messages.cancel}
      problem={give.isError && failureWords(give.error)}
      isPending={give.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={messages.amountField}
        hint={messages.left(moneyWords(left, currency))}
        value={written}
        onChange={setWritten}
        error={wrong.amount}
        inputMode="decimal"
        autoComplete="off"
        autoFocus
      />
      <Select
        label={messages.way}
        value={way}
        options={ways.map((one) => ({ value: one, label: messages.ways[one] }))}
        onChange={setWay}
      />
      <TextField
        label={messages.reason}
        hint={messages.reasonHint}
        value={reason}
        onChange={setReason}
        error={wrong.reason}
        maxLength={300}
        autoComplete="off"
      />
      {refunds.length > 0 && (
        <section className="grid gap-1 text-[0.8125rem] text-muted">
          <h3 className="font-medium text-ink">{messages.before}</h3>
          <ul className="grid gap-1">
            {refunds.map((one) => (
              <li key={one.at} className="[overflow-wrap:anywhere]">
                {moneyWords(one.amount, currency)} {messages.refundWays[one.kind]}, {dayWords(one.at)},{' '}
                {one.by ?? messages.somebody}: {one.reason} ({messages.refundStates[one.state]})
              </li>
            ))}
          </ul>
        </section>
      )}
    </FormDialog>
  )
}
