import { useState } from 'react'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { scripts } from '@clear-to-post/contract/scripts'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import { useDraft } from '../project/use-draft.ts'
import { messages } from './messages.ts'
import { countWords, speakingTime } from './speaking.ts'
import { refreshScripts, type Script } from './use-library.ts'

type Written = { title: string; content: string; tags: readonly string[] }
const parts = ['title', 'content', 'tags'] as const
const writtenOf = ({ title, content, tags = [] }: Script): Written => ({ title, content, tags })
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Writes or changes a script: one's own, or with `category` one of the library. What was typed outlives a closed dialog. */
export const ScriptDialog = ({
  script,
  category,
  onClose,
}: {
  script?: Script | undefined
  category?: { id: string; title: string } | undefined
  onClose: () => void
}) => {
  const [begun] = useState(() => {
    const from = script ? writtenOf(script) : nothing
    return { form: from, from }
  })
  // With what it was made from: a draft outlives what somebody else changes meanwhile.
  const [{ form, from }, setDraft, forget] = useDraft(`text of ${script?.id ?? category?.id ?? 'new'}`, begun)
  const [isChangedElsewhere, setChangedElsewhere] = useState(false)
  const [wrong, setWrong] = useState<{ title?: string; content?: string }>({})
  const write = (part: Partial<Written>) => {
    setWrong({})
    setDraft({ form: { ...form, ...part }, from })
  }
  const done = (words: string) => {
    forget()
    toast.success(words)
    void refreshScripts()
    onClose()
  }
  const create = useCall(scripts.create, {
    onSuccess: () => done(category ? messages.addedTo(category.title) : messages.created),
  })
  const update = useCall(scripts.update, {
    onSuccess: () => done(messages.saved),
    onError: (error) => {
      if (error instanceof Refusal && error.code === 'script.changed')
        void refreshScripts().then(() => setChangedElsewhere(true))
    },
  })
  const failure = create.error ?? update.error
  const isChanged = !isSame(form, from)
  // What somebody has written since, once it was refused and looked up; then it is in sight, and may be replaced.
  const now = script && isChangedElsewhere ? writtenOf(script) : from

  const submit = () => {
    const found = {
      ...(form.title.trim() === '' ? { title: messages.needTitle } : {}),
      ...(form.content.trim() === '' ? { content: messages.needContent } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return
    const body = { title: form.title.trim(), content: form.content.trim(), tags: [...form.tags] }
    if (script) {
      const own = parts.filter((part) => !isSame(body[part], from[part]))
      const of = (all: Written) => Object.fromEntries(own.map((part) => [part, all[part]]))
      update.mutate({ params: { id: script.id }, body: { ...of(body), was: of(now) } })
    } else create.mutate({ body: { ...body, ...(category ? { categoryId: category.id } : {}) } })
  }

  return (
    <FormDialog
      title={script ? messages.editTitle : category ? messages.addScriptTo(category.title) : messages.newTitle}
      size="medium"
      submit={messages.save}
      cancel={messages.cancel}
      problem={failure !== null && failureWords(failure)}
      beside={<p className="mr-auto self-center text-[0.8125rem] text-muted">{isChanged && messages.draftKept}</p>}
      isDisabled={script !== undefined && !isChanged}
      isPending={create.isPending || update.isPending}
      onSubmit={submit}
      onCancel={forget}
      onClose={onClose}
    >
      {parts
        .filter((part) => !isSame(now[part], from[part]))
        .map((part) => (
          <section key={part} className="rounded-control border border-edge/60 px-4 py-3">
            <h3 className="font-medium">{messages.isNow[part]}</h3>
            <p className="max-h-40 overflow-y-auto whitespace-pre-wrap text-muted">{[now[part]].flat().join(', ')}</p>
          </section>
        ))}
      <TextField
        label={messages.scriptTitle}
        placeholder={messages.titlePlaceholder}
        value={form.title}
        onChange={(title) => write({ title })}
        maxLength={200}
        error={wrong.title}
        autoFocus
        autoComplete="off"
      />
      <TextArea
        label={messages.content}
        placeholder={messages.contentPlaceholder}
        hint={
          form.content.trim() === ''
            ? messages.contentHint
            : messages.counted(countWords(form.content), messages.speaking(speakingTime(form.content)))
        }
        rows={9}
        value={form.content}
        onChange={(content) => write({ content })}
        maxLength={20_000}
        error={wrong.content}
        className="[&_textarea]:min-h-56 [&_textarea]:text-base [&_textarea]:leading-relaxed"
      />
      <TagsField
        label={messages.tags}
        hint={messages.tagsHint}
        placeholder={messages.tagPlaceholder}
        value={form.tags}
        onChange={(tags) => write({ tags })}
        most={20}
        longest={40}
        removeWords={messages.removeTag}
      />
    </FormDialog>
  )
}

const nothing: Written = { title: '', content: '', tags: [] }
