import { useState } from 'react'
import { toast } from 'sonner'
import { scripts } from '@clear-to-post/contract/scripts'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { useUser } from '../../session.ts'
import { ChangedMeanwhile, useMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { changesOf } from '../../ui/changes-of.ts'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import { changedSince, keepWritten, useDraft } from '../project/use-draft.ts'
import { messages } from './messages.ts'
import { countWords, speakingTime } from './speaking.ts'
import { refreshScripts, type Script } from './use-library.ts'

type Written = { title: string; content: string; tags: readonly string[] }
const writtenOf = ({ title, content, tags = [] }: Script): Written => ({ title, content, tags })

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
  const begun = script ? writtenOf(script) : nothing
  // With what it was made from: a draft outlives what somebody else changes meanwhile.
  const [draft, setDraft, sent, forget] = useDraft(`text of ${script?.id ?? category?.id ?? 'new'}`, {
    form: begun,
    from: begun,
  })
  const { form, from } = draft
  const { id: userId } = useUser()
  const { now, onError } = useMeanwhile(
    { from, current: script ? writtenOf(script) : from },
    'script.changed',
    refreshScripts,
  )
  const [wrong, setWrong] = useState<{ title?: string; content?: string }>({})
  const write = (part: Partial<Written>) => {
    setWrong({})
    setDraft({ form: { ...form, ...part }, from })
  }
  const onMutate = () => draft
  const tell = (words: string) => {
    toast.success(words)
    void refreshScripts()
  }
  const create = useCall(scripts.create, {
    onMutate,
    onSuccess: (fresh, _, pressed) => {
      tell(category ? messages.addedTo(category.title) : messages.created)
      sent(pressed, (now) => {
        // What was written since changes the script that this has become.
        if (changedSince(now, pressed))
          keepWritten(userId, `text of ${fresh.id}`, { form: now.form, from: writtenOf(fresh) })
        return null
      })
      onClose()
    },
  })
  const update = useCall(scripts.update, {
    onMutate,
    onSuccess: (fresh, _, pressed) => {
      tell(messages.saved)
      const left = sent(pressed, (now) => changedSince(now, pressed) && { form: now.form, from: writtenOf(fresh) })
      if (left === null) onClose()
    },
    onError,
  })
  const failure = create.error ?? update.error
  const isChanged = changesOf(form, from) !== undefined

  const submit = () => {
    const found = {
      ...(form.title.trim() === '' ? { title: messages.needTitle } : {}),
      ...(form.content.trim() === '' ? { content: messages.needContent } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return
    const body = { title: form.title.trim(), content: form.content.trim(), tags: [...form.tags] }
    if (script) update.mutate({ params: { id: script.id }, body: changesOf<Written>(body, from, now) ?? {} })
    else create.mutate({ body: { ...body, ...(category ? { categoryId: category.id } : {}) } })
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
      <ChangedMeanwhile from={from} now={now} titles={messages.isNow} />
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
