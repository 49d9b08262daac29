import { useState } from 'react'
import { toast } from 'sonner'
import { reports, type PaidEditor } from '@clear-to-post/contract/reports'
import { monthAfter } from '@clear-to-post/domain/calendar'
import { rateUnits } from '@clear-to-post/domain/payroll'
import { queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { monthWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { centsOf } from '../subscriptions/money.ts'
import { messages } from './messages.ts'

/** What an editor is paid by, and from which month on. */
export const RateDialog = ({
  editor: { id, name, rate },
  month,
  onClose,
}: {
  editor: PaidEditor
  /** The month that is looked at. */
  month: string
  onClose: () => void
}) => {
  const [unit, setUnit] = useState(rate?.unit ?? 'minute')
  const [amount, setAmount] = useState(rate ? (rate.amount / 100).toFixed(2) : '')
  const [fromMonth, setFromMonth] = useState(month)
  const [isAsked, setAsked] = useState(false)
  const cents = centsOf(amount)
  const isRight = cents !== null && cents >= 1 && cents <= 10_000_000
  const save = useCall(reports.setRate, {
    onSuccess: (_answer, { body }) => {
      toast.success(body.rate ? messages.saved(name) : messages.ended(name))
      onClose()
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['reports'] }),
  })
  return (
    <FormDialog
      title={messages.rateOf(name)}
      submit={messages.save}
      cancel={messages.cancel}
      problem={save.isError && failureWords(save.error)}
      isPending={save.isPending}
      beside={
        rate && (
          <Button
            variant="quiet"
            onPress={() => save.mutate({ body: { editorId: id, fromMonth, rate: null } })}
            className="mr-auto"
          >
            {messages.end}
          </Button>
        )
      }
      onSubmit={() => {
        setAsked(true)
        if (isRight)
          save.mutate({
            body: { editorId: id, fromMonth, rate: { unit, amount: cents, currency: rate?.currency ?? 'usd' } },
          })
      }}
      onClose={onClose}
    >
      <Select
        label={messages.by}
        value={unit}
        options={rateUnits.map((value) => ({ value, label: messages.units[value] }))}
        onChange={setUnit}
      />
      <TextField
        label={messages.amount}
        hint={messages.amountHint}
        value={amount}
        onChange={setAmount}
        error={isAsked && !isRight ? messages.wrongAmount : undefined}
        inputMode="decimal"
        autoComplete="off"
        autoFocus
      />
      <Select
        label={messages.from}
        hint={messages.fromHint}
        value={fromMonth}
        options={[-12, -6, -3, -2, -1, 0, 1, 2].map((months) => {
          const value = monthAfter(month, months)
          return { value, label: monthWords(value) }
        })}
        onChange={setFromMonth}
      />
    </FormDialog>
  )
}
