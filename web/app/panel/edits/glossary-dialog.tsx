import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import { edits, type GlossaryEntry } from '@clear-to-post/contract/edits'
import type { Project } from '@clear-to-post/contract/projects'
import { keyOf, query, useCall } from '../../api.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

type Whose = 'own' | 'company'
type Props = { project: Project; mayWrite: boolean; isOpen: boolean; onClose: () => void }

/** Words to spell right, the officer's own and their company's: used whenever words are found anew. */
export const GlossaryDialog = ({ project, mayWrite, isOpen, onClose }: Props) => {
  const params = { userId: project.userId }
  const glossary = useQuery({ ...query(edits.glossary, { params }), enabled: isOpen })
  const [whose, setWhose] = useState<Whose>('own')
  return (
    <Dialog title={messages.glossary} size="medium" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <p className="mb-3 text-muted">{messages.glossaryText}</p>
      <Loaded
        answer={glossary}
        failed={messages.glossaryFailed}
        loading={
          <>
            <Skeleton className="mb-3 h-10 w-full" />
            <Skeleton className="h-10 w-full" />
          </>
        }
      >
        {(kept) => (
          <Tabs
            label={messages.glossary}
            value={whose}
            onChange={setWhose}
            items={[
              {
                key: 'own',
                label: messages.glossaryOf(project.userName ?? messages.officer),
                count: kept.own.length,
              },
              ...(project.tenantId
                ? [{ key: 'company' as const, label: messages.glossaryCompany, count: kept.company.length }]
                : []),
            ]}
          >
            {(key) => <Entries key={key} project={project} whose={key} entries={kept[key]} mayWrite={mayWrite} />}
          </Tabs>
        )}
      </Loaded>
    </Dialog>
  )
}

type EntriesProps = { project: Project; whose: Whose; entries: readonly GlossaryEntry[]; mayWrite: boolean }

const Entries = ({ project, whose, entries, mayWrite }: EntriesProps) => {
  const client = useQueryClient()
  const params = { userId: project.userId }
  const [text, setText] = useState('')
  const [sounds, setSounds] = useState('')
  const queryKey = keyOf(edits.glossary, { params })
  const change = useCall(edits.changeGlossary, {
    onSuccess: (glossary) => client.setQueryData(queryKey, glossary),
    onError: (error) => {
      toastFailure(error)
      void client.invalidateQueries({ queryKey })
    },
  })
  const put = (entry: GlossaryEntry, then?: () => void) =>
    change.mutate({ params, body: { whose, add: [entry] } }, { onSuccess: () => then?.() })
  const remove = (entry: GlossaryEntry) =>
    change.mutate(
      { params, body: { whose, remove: [entry.term] } },
      {
        onSuccess: () =>
          toast.success(messages.glossaryGone(entry.term), {
            action: { label: messages.undo, onClick: () => put(entry) },
          }),
      },
    )
  const isThere = entries.some((entry) => entry.term.toLowerCase() === text.trim().toLowerCase())
  const add = () => {
    const entry = { term: text.trim(), ...(sounds.trim() ? { sounds: sounds.trim() } : {}) }
    if (entry.term === '' || isThere) return
    put(entry, () => {
      setText('')
      setSounds('')
    })
  }
  return (
    <div className="grid gap-3 pt-3">
      {entries.length === 0 ? (
        <p className="rounded-control border border-dashed border-edge/60 px-4 py-6 text-center text-muted">
          {messages.glossaryEmpty}
        </p>
      ) : (
        <ul className="max-h-[40dvh] divide-y divide-line overflow-y-auto border-y border-line">
          {entries.map((entry) => (
            <li key={entry.term} className="flex min-h-11 items-center gap-3">
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <span className="font-medium">{entry.term}</span>
                {entry.sounds && <span className="text-muted"> {messages.sounds(entry.sounds)}</span>}
              </span>
              {mayWrite && (
                <IconButton label={messages.removeNamed(entry.term)} onPress={() => remove(entry)}>
                  <Trash2 aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <form
          className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]"
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <TextField
            label={messages.glossaryWord}
            value={text}
            onChange={setText}
            maxLength={80}
            placeholder="NMLS"
            error={isThere ? messages.glossaryThere : undefined}
          />
          <TextField
            label={messages.glossarySounds}
            isRequired={false}
            value={sounds}
            onChange={setSounds}
            maxLength={160}
            placeholder="en em el es"
          />
          <Button
            type="submit"
            icon={<Plus aria-hidden />}
            className="sm:mt-6.5 sm:h-10"
            isPending={change.isPending}
            isDisabled={text.trim() === ''}
          >
            {messages.add}
          </Button>
        </form>
      )}
    </div>
  )
}
