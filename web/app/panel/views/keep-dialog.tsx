import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { SavedView } from '@clear-to-post/contract/views'
import { failureWords } from '../../failures.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messages } from './messages.ts'
import { keepView } from './use-views.ts'

/** A name for what the list is narrowed to. */
export const KeepDialog = ({
  page,
  search,
  views,
  onClose,
}: {
  page: string
  search: SavedView['search']
  views: readonly SavedView[]
  onClose: () => void
}) => {
  const [name, setName] = useState('')
  const [isAsked, setAsked] = useState(false)
  const written = name.trim()
  const keep = useMutation({
    mutationFn: () =>
      keepView(
        page,
        written,
        search,
        views.find((one) => one.name === written),
      ),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={messages.keepTitle}
      submit={messages.save}
      cancel={messages.cancel}
      problem={keep.isError && failureWords(keep.error)}
      isPending={keep.isPending}
      onSubmit={() => {
        setAsked(true)
        if (written !== '' && !keep.isPending) keep.mutate()
      }}
      onClose={onClose}
    >
      <p className="text-muted">{messages.keepText}</p>
      <TextField
        label={messages.name}
        hint={messages.nameHint}
        value={name}
        onChange={setName}
        error={isAsked && written === '' ? messages.needName : undefined}
        maxLength={60}
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  )
}
