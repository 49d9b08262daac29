import { useState } from 'react'
import { toast } from 'sonner'
import { subscriptions, type Payment } from '@clear-to-post/contract/subscriptions'
import { queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { dayWords } from '../../times.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { centsOf, moneyWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'

/** A part of a payment, the way that it goes back, and why. */
export const GiveBackDialog = ({ payment, onClose }: { payment: Payment; onClose: () => void }) => {
  const { id, payer, left = 0, currency = 'usd', ways, refunds } = payment
  const [written, setWritten] = useState('')
  const [way, setWay] = useState(ways[0]!)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<{ amount?: string; reason?: string }>({})
  const give = useCall(subscriptions.giveBack, {
    onSuccess: (_payment, { body }) => {
      toast.success(messages.given(moneyWords(body.amount, currency), payer.name))
      onClose()
    },
    // Refused, too: what is left may have changed since it was read.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
  const amount = centsOf(written)
  const isRight = amount !== null && amount > 0 && amount <= left
  const submit = () => {
    const most = moneyWords(left, currency)
    const found = {
      ...(isRight
        ? {}
        : {
            amount: amount === null && written.trim() !== '' ? messages.unclearAmount(most) : messages.needAmount(most),
          }),
      ...(reason.trim() === '' ? { reason: messages.needReason } : {}),
    }
    setWrong(found)
    if (isRight && Object.keys(found).length === 0)
      give.mutate({ params: { chargeId: id }, body: { amount, way, reason: reason.trim(), left } })
  }
  return (
    <FormDialog
      title={messages.giveBackTitle(payer.name)}
      submit={isRight ? messages.giveAmount(moneyWords(amount, currency)) : messages.give}
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
