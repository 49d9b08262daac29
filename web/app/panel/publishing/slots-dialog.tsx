import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { publishing, type PostSlot } from '@clear-to-post/contract/publishing'
import { mostSlots } from '@clear-to-post/domain/post-slots'
import { failureWords } from '../../failures.ts'
import { send, useCall } from '../../api.ts'
import { locale } from '../../language.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { toastUndo } from '../../ui/toast-undo.ts'
import { messages } from './messages.ts'

/** When in the week the officer posts. */
export const SlotsDialog = ({ slots, onClose }: { slots: readonly PostSlot[]; onClose: () => void }) => {
  const client = useQueryClient()
  const [rows, setRows] = useState<readonly PostSlot[]>(slots.length > 0 ? slots : [{ weekday: 2, time: '09:00' }])
  const isComplete = rows.every(({ time }) => time !== '')
  const { mutate, isPending, error } = useCall(publishing.setSlots, {
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['posts'] })
      toastUndo(messages.slotsSaved, () =>
        send(publishing.setSlots, { body: { items: [...slots] } }).then(() =>
          client.invalidateQueries({ queryKey: ['posts'] }),
        ),
      )
      onClose()
    },
  })
  const put = (place: number, part: Partial<PostSlot>) => setRows(rows.with(place, { ...rows[place]!, ...part }))
  return (
    <FormDialog
      title={messages.slots}
      submit={messages.saveSlots}
      cancel={messages.cancel}
      problem={error ? failureWords(error) : false}
      isPending={isPending}
      isDisabled={!isComplete}
      onSubmit={() => mutate({ body: { items: [...rows] } })}
      onClose={onClose}
    >
      <p className="text-muted">{messages.slotsText}</p>
      <ul aria-label={messages.slots} className="grid gap-2">
        {rows.map(({ weekday, time }, place) => (
          // A row has no name of its own; what is written stands in the rows above it.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place} className="flex flex-wrap items-center gap-2">
            <Select
              label={messages.slotDay(place + 1)}
              hideLabel
              value={String(weekday)}
              options={weekdays}
              onChange={(value) => put(place, { weekday: Number(value) })}
              className="min-w-32 flex-1 basis-32"
            />
            {/* Below the day where both have no room beside each other. */}
            <div className="flex grow items-center gap-2">
              <TextField
                label={messages.slotTime(place + 1)}
                type="time"
                value={time}
                onChange={(value) => put(place, { time: value })}
                className="w-34 grow [&>label]:sr-only"
              />
              <IconButton label={messages.removeSlot(place + 1)} onPress={() => setRows(rows.toSpliced(place, 1))}>
                <X aria-hidden />
              </IconButton>
            </div>
          </li>
        ))}
      </ul>
      {rows.length < mostSlots && (
        <div>
          <Button
            size="small"
            icon={<Plus aria-hidden />}
            onPress={() => setRows([...rows, { weekday: 5, time: rows.at(-1)?.time ?? '09:00' }])}
          >
            {messages.addSlot}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}

const weekdays = Array.from({ length: 7 }, (_, day) => ({
  value: String(day + 1),
  // The first of January 2024 was a Monday.
  label: new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day + 1)),
}))
