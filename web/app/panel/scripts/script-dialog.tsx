import { useState, type FormEvent } from 'react'
import { toast } from 'sonner'
import { prompts } from '@clear-to-post/contract/prompts'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { Problem } from '../../ui/problem.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import { useDraft } from '../project/use-draft.ts'
import { messages } from './messages.ts'
import { countWords, speakingTime } from './speaking.ts'
import { refreshScripts, type Script } from './use-library.ts'

type Written = { title: string; content: string; tags: readonly string[] }

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
  const [kept] = useState<Written>(() =>
    script ? { title: script.title, content: script.content, tags: script.tags ?? [] } : nothing,
  )
  const [form, setForm, forget] = useDraft<Written>(`script ${script?.id ?? category?.id ?? 'new'}`, kept)
  const [wrong, setWrong] = useState<{ title?: string; content?: string }>({})
  const write = (part: Partial<Written>) => {
    setWrong({})
    setForm({ ...form, ...part })
  }
  const done = (words: string) => {
    forget()
    toast.success(words)
    void refreshScripts()
    onClose()
  }
  const create = useCall(prompts.newScript, {
    onSuccess: () => done(category ? messages.addedTo(category.title) : messages.created),
  })
  const update = useCall(prompts.updateScript, { onSuccess: () => done(messages.saved) })
  const failure = create.error ?? update.error
  const isChanged = JSON.stringify(form) !== JSON.stringify(kept)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = {
      ...(form.title.trim() === '' ? { title: messages.needTitle } : {}),
      ...(form.content.trim() === '' ? { content: messages.needContent } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return
    const body = { title: form.title.trim(), content: form.content.trim(), tags: [...form.tags] }
    if (script) update.mutate({ params: { id: script.id }, body })
    else create.mutate({ body: { ...body, ...(category ? { categoryId: category.id } : {}) } })
  }

  return (
    <Dialog
      title={script ? messages.editTitle : category ? messages.addScriptTo(category.title) : messages.newTitle}
      size="medium"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={(close) => (
        <>
          <p className="mr-auto self-center text-[0.8125rem] text-muted">{isChanged && messages.draftKept}</p>
          <Button
            onPress={() => {
              forget()
              close()
            }}
          >
            {messages.cancel}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            isDisabled={script !== undefined && !isChanged}
            isPending={create.isPending || update.isPending}
          >
            {messages.save}
          </Button>
        </>
      )}
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
        {failure && <Problem>{failureWords(failure)}</Problem>}
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
      </form>
    </Dialog>
  )
}

const formId = 'script'
const nothing: Written = { title: '', content: '', tags: [] }
