import { useState, type FormEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import type { SavedView } from '@clear-to-post/contract/views'
import { failureWords } from '../../failures.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { messages } from './messages.ts'
import { removeView, renameView } from './use-views.ts'

/** The views of a list, each to be renamed or deleted. */
export const ManageDialog = ({ views, onClose }: { views: readonly SavedView[]; onClose: () => void }) => {
  const [renaming, setRenaming] = useState<string | null>(null)
  return (
    <Dialog
      title={messages.manageTitle}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={(close) => <Button onPress={close}>{messages.close}</Button>}
    >
      {views.length === 0 ? (
        <p className="text-muted">{messages.none}</p>
      ) : (
        <ul className="grid divide-y divide-line">
          {views.map((view) => (
            <li key={view.id} className="py-2">
              {renaming === view.id ? (
                <Rename view={view} onEnd={() => setRenaming(null)} />
              ) : (
                <div className="flex items-center gap-1">
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{view.name}</span>
                  <IconButton label={messages.rename(view.name)} onPress={() => setRenaming(view.id)}>
                    <Pencil aria-hidden />
                  </IconButton>
                  <IconButton label={messages.remove(view.name)} onPress={() => void removeView(view)}>
                    <Trash2 aria-hidden />
                  </IconButton>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

const Rename = ({ view, onEnd }: { view: SavedView; onEnd: () => void }) => {
  const [name, setName] = useState(view.name)
  const written = name.trim()
  const save = useMutation({ mutationFn: () => renameView(view, written), onSuccess: onEnd })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (written === view.name) onEnd()
    else if (written !== '' && !save.isPending) save.mutate()
  }
  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-2">
      <TextField
        label={messages.newName(view.name)}
        value={name}
        onChange={setName}
        error={save.isError ? failureWords(save.error) : written === '' ? messages.needName : undefined}
        maxLength={60}
        autoComplete="off"
        autoFocus
        className="flex-1"
      />
      <Button type="submit" isPending={save.isPending} className="mt-6.5">
        {messages.saveName}
      </Button>
    </form>
  )
}
