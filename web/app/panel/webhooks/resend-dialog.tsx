import { useState } from 'react'
import { toast } from 'sonner'
import { webhooks } from '@clear-to-post/contract/webhooks'
import { queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { messages } from './messages.ts'

const hours = { hour: 1, day: 24, week: 24 * 7, all: 24 * 31 } as const
type Span = keyof typeof hours

/** Everything since a moment once more, for a program that was away or has lost data. */
export const ResendDialog = ({ endpointId, onClose }: { endpointId: string; onClose: () => void }) => {
  const [span, setSpan] = useState<Span>('day')
  const [onlyFailed, setOnlyFailed] = useState(true)
  const resend = useCall(webhooks.resendSince, {
    onSuccess: ({ count }) => {
      toast.success(messages.resentMany(count))
      onClose()
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  return (
    <FormDialog
      title={messages.resendTitle}
      submit={messages.resendIt}
      cancel={messages.stop}
      problem={resend.isError && failureWords(resend.error)}
      isPending={resend.isPending}
      onSubmit={() => {
        const since = new Date(Date.now() - hours[span] * 3_600_000).toISOString()
        resend.mutate({ params: { endpointId }, body: { since, onlyFailed } })
      }}
      onClose={onClose}
    >
      <Select
        label={messages.since}
        value={span}
        options={(Object.keys(hours) as Span[]).map((one) => ({ value: one, label: messages.spans[one] }))}
        onChange={(value) => setSpan(value as Span)}
      />
      <Checkbox isSelected={onlyFailed} onChange={setOnlyFailed}>
        {messages.onlyFailed}
      </Checkbox>
      <p className="text-muted">{messages.resendText}</p>
    </FormDialog>
  )
}
