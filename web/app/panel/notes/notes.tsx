import { useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { NotebookPen, Paperclip, Pencil, Plus, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { notes, type Note } from '@clear-to-post/contract/notes'
import { query, queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { useUser } from '../../session.ts'
import { agoWords, fullWords } from '../../times.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { Listed, listOf } from '../../ui/listed.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { changedSince, keepWritten, useDraft } from '../project/use-draft.ts'
import { DeletedNotes } from './deleted-notes.tsx'
import { HistoryEntries } from './history-entries.tsx'
import { messages } from './messages.ts'

/** What staff know about an officer, newest first. Never rendered for the officer; the service would refuse anyway. */
export const Notes = ({ userId, name }: { userId: string; name: string }) => {
  const list = useQuery(query(notes.list, { params: { userId } }))
  const [isWriting, setWriting] = useState(false)
  if (list.error instanceof Refusal && list.error.kind === 'not-found')
    return <p className="text-muted">{messages.noOfficer}</p>
  const items = list.data?.items
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-52 flex-1">
          <p>{messages.about(name)}</p>
          <p className="text-[0.8125rem] text-muted">{messages.private}</p>
        </div>
        {!isWriting && items && items.length > 0 && (
          <Button size="small" icon={<Plus aria-hidden />} onPress={() => setWriting(true)}>
            {messages.write}
          </Button>
        )}
      </div>
      {isWriting && <NoteForm userId={userId} onClose={() => setWriting(false)} />}
      <Listed
        list={listOf(list, (answer) => answer.items)}
        failed={messages.failed}
        loading={
          <>
            <Skeleton className="mb-3 h-20 w-full" />
            <Skeleton className="h-20 w-full" />
          </>
        }
        empty={
          !isWriting && (
            <EmptyState
              isSmall
              icon={<NotebookPen aria-hidden />}
              title={messages.emptyTitle}
              text={messages.emptyText}
              action={
                <Button icon={<Plus aria-hidden />} onPress={() => setWriting(true)}>
                  {messages.write}
                </Button>
              }
            />
          )
        }
      >
        {(all) => (
          <ul className="divide-y divide-line border-t border-line">
            {all.map((note) => (
              <li key={note.id}>
                <NoteItem note={note} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {items && <DeletedNotes userId={userId} />}
    </div>
  )
}

const NoteItem = ({ note }: { note: Note }) => {
  const [isEditing, setEditing] = useState(false)
  const remove = useCall(notes.remove, {
    onSuccess: () => {
      void refresh()
      toast.success(messages.removed)
    },
    // Changed meanwhile, it stands here as it is now.
    onError: (error) => {
      void refresh()
      toastFailure(error)
    },
  })
  if (isEditing)
    return (
      <div className="py-3">
        <NoteForm userId={note.userId} note={note} onClose={() => setEditing(false)} />
      </div>
    )
  return (
    <article className="py-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 className="font-sans text-sm font-semibold tracking-normal [overflow-wrap:anywhere]">{note.title}</h3>
          <p className="mt-0.5 max-w-prose [overflow-wrap:anywhere] whitespace-pre-line">{note.content}</p>
        </div>
        <ActionMenu
          label={messages.actions(note.title)}
          isPending={remove.isPending}
          className="-mt-1 text-muted"
          actions={[
            { label: messages.edit, icon: Pencil, onAction: () => setEditing(true) },
            {
              label: messages.remove,
              icon: Trash2,
              isDanger: true,
              onAction: () => remove.mutate({ params: { id: note.id }, query: { modified: note.modified } }),
              confirm: { title: messages.removeTitle(note.title), text: messages.removeText, keep: messages.keep },
            },
          ]}
        />
      </div>
      {note.assets.length > 0 && (
        <ul aria-label={messages.files} className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1">
          {note.assets.map(({ assetId, assetUrl, fileName }) => (
            <li key={assetId} className="inline-flex items-center gap-1.5">
              <Paperclip aria-hidden className="size-3.5 text-muted" />
              <a
                href={assetUrl}
                className="touch inline-flex items-center text-primary-text underline-offset-4 hover:underline"
              >
                {fileName}
              </a>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-1.5 flex flex-wrap gap-x-1.5 text-[0.8125rem] text-muted">
        <span className="[overflow-wrap:anywhere]">{messages.by(note.authorEmail)}</span>
        <time dateTime={note.modified} title={fullWords(note.modified)} className="before:mr-1.5 before:content-['·']">
          {note.modified === note.createdAt ? agoWords(note.createdAt) : messages.changed(agoWords(note.modified))}
        </time>
      </p>
      {note.history && note.history.length > 1 && <NoteHistory history={note.history} />}
    </article>
  )
}

const NoteHistory = ({ history }: { history: NonNullable<Note['history']> }) => (
  <details className="mt-1 text-[0.8125rem]">
    <summary className="touch inline-flex cursor-pointer items-center text-muted underline-offset-4 hover:underline">
      {messages.history(history.length)}
    </summary>
    <HistoryEntries history={history} />
  </details>
)

/** What is written, and the note that it began with. */
type Draft = Pick<Note, 'title' | 'content'> & { from?: Pick<Note, 'title' | 'content' | 'modified'> }

const NoteForm = ({ userId, note, onClose }: { userId: string; note?: Note; onClose: () => void }) => {
  const { id: writer } = useUser()
  const of = `note ${note?.id ?? userId}`
  const [form, setForm, sent, forget] = useDraft<Draft>(of, note ? draftOf(note) : nothing)
  const [titleError, setTitleError] = useState<string>()
  const end = () => {
    forget()
    onClose()
  }
  const onMutate = () => form
  const tellSaved = () => {
    void refresh()
    toast.success(messages.saved)
  }
  const create = useCall(notes.save, {
    onMutate,
    onSuccess: (fresh, _, pressed) => {
      tellSaved()
      sent(pressed, (now) => {
        // What was written since changes the note that this has become.
        if (changedSince(now, pressed)) keepWritten(writer, `note ${fresh.id}`, { ...draftOf(fresh), ...textOf(now) })
        return null
      })
      onClose()
    },
  })
  const change = useCall(notes.change, {
    onMutate,
    onSuccess: (fresh, _, pressed) => {
      tellSaved()
      const left = sent(pressed, (now) => changedSince(now, pressed) && { ...draftOf(fresh), ...textOf(now) })
      if (left === null) onClose()
    },
    onError: async (error) => {
      if (!(error instanceof Refusal) || error.code !== 'note.changed') return
      await refresh()
      const list = queryClient.getQueryData(query(notes.list, { params: { userId } }).queryKey)
      const current = list?.items.find(({ id }) => id === note?.id)
      // What is written here stays over what somebody else wrote; what was left as it was is theirs.
      if (current) setForm((now) => ({ ...draftOf(current), ...changesOf(now) }))
    },
  })
  const failure = create.error ?? change.error
  // Somebody else's words, where other ones were written here.
  const theirs =
    form.from && change.error instanceof Refusal && change.error.code === 'note.changed'
      ? Object.keys(changesOf(form)).map((part) => form.from![part as 'title' | 'content'])
      : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { title: form.title.trim(), content: form.content.trim() }
    if (body.title === '') return setTitleError(messages.needTitle)
    if (!note) return create.mutate({ body: { userId, ...body } })
    const { from = note } = form
    const changes = changesOf({ ...body, from })
    if (Object.keys(changes).length === 0) end()
    else change.mutate({ params: { id: note.id }, body: { ...changes, modified: from.modified } })
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 rounded-control border border-line bg-canvas p-4">
      <TextField
        label={messages.title}
        placeholder={messages.titlePlaceholder}
        value={form.title}
        onChange={(title) => {
          setTitleError(undefined)
          setForm({ ...form, title })
        }}
        maxLength={200}
        error={titleError}
        autoFocus
        autoComplete="off"
      />
      <TextArea
        label={messages.content}
        placeholder={messages.contentPlaceholder}
        rows={3}
        value={form.content}
        onChange={(content) => setForm({ ...form, content })}
        maxLength={20_000}
        isRequired={false}
      />
      {failure && (
        <p role="alert" className="text-danger">
          {failureWords(failure)}
        </p>
      )}
      {theirs.length > 0 && (
        <div>
          <p className="text-[0.8125rem] text-muted">{messages.asItIs}</p>
          {theirs.map((words) => (
            <p
              key={words}
              className="mt-1 rounded-control bg-sunken px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-line"
            >
              {words}
            </p>
          ))}
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Button onPress={end}>{messages.cancel}</Button>
        <Button type="submit" variant="primary" isPending={create.isPending || change.isPending}>
          {messages.save}
        </Button>
      </div>
    </form>
  )
}

const nothing: Draft = { title: '', content: '' }

const textOf = ({ title, content }: Draft) => ({ title, content })

const draftOf = ({ title, content, modified }: Note): Draft => ({ title, content, from: { title, content, modified } })

/** The parts that say something else than the note they began with. */
const changesOf = ({ title, content, from }: Draft): Partial<Pick<Note, 'title' | 'content'>> => ({
  ...(title !== from?.title && { title }),
  ...(content !== from?.content && { content }),
})

const refresh = () => queryClient.invalidateQueries({ queryKey: ['user-context'] })
