import { useState } from 'react'
import { toast } from 'sonner'
import { accounts, type User } from '@clear-to-post/contract/accounts'
import { queryClient, send, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { changesOf, takenBack } from '../../ui/changes-of.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { putPerson } from '../accounts/use-people.ts'
import { AvailabilityFields } from './availability-fields.tsx'
import { areHoursRight, formOf, type Form } from './form.ts'
import { messages } from './messages.ts'

/** An editor's hours and days off, set by whoever plans. */
export const AvailabilityDialog = ({ editor, onClose }: { editor: User; onClose: () => void }) => {
  // As they were when this was opened: what somebody else changes meanwhile is not taken back.
  const [from] = useState<Form>(() => formOf(editor))
  const [form, setForm] = useState<Form>(from)
  const seen = (changed: User) => {
    putPerson(changed)
    void queryClient.invalidateQueries({ queryKey: ['accounts'] })
    void queryClient.invalidateQueries({ queryKey: ['reports'] })
  }
  const update = useCall(accounts.update, {
    onSuccess: (changed) => {
      seen(changed)
      toast.success(messages.saved(editor.name), {
        action: changes && {
          label: messages.undo,
          onClick: () =>
            void send(accounts.update, {
              body: { userId: editor.id, ...takenBack(changes, formOf(changed)) },
            }).then(seen, toastFailure),
        },
      })
      onClose()
    },
    // Somebody was faster: opened again, it says what they set.
    onError: () => void queryClient.invalidateQueries({ queryKey: ['accounts'] }),
  })
  const changes = changesOf(form, from)
  return (
    <FormDialog
      title={messages.titleOf(editor.name)}
      size="medium"
      submit={messages.save}
      cancel={messages.cancel}
      problem={update.isError && failureWords(update.error)}
      isPending={update.isPending}
      isDisabled={!changes || !areHoursRight(form)}
      onSubmit={() => update.mutate({ body: { userId: editor.id, ...changes } })}
      onClose={onClose}
    >
      <p className="text-muted">
        {messages.textOf(zoneWords(editor.timezone))} {editor.workWeek === undefined && messages.usual}
      </p>
      <AvailabilityFields form={form} onChange={(part) => setForm((before) => ({ ...before, ...part }))} />
    </FormDialog>
  )
}

/** A zone as its city. */
export const zoneWords = (zone = 'UTC'): string => zone.split('/').at(-1)!.replaceAll('_', ' ')
