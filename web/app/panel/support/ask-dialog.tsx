import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { projects } from '@clear-to-post/contract/projects'
import { support } from '@clear-to-post/contract/support'
import { query, queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { keepWritten, useDraft, writtenSince } from '../project/use-draft.ts'
import { messages } from './messages.ts'
import { draftOf } from './talk.tsx'

const noQuestion = { subject: '', body: '' }

/** A new question, perhaps about a video; what was written stays until it is sent. Sent, it opens as the conversation that it has become. */
export const AskDialog = ({ projectId, onClose }: { projectId?: string | undefined; onClose: () => void }) => {
  const navigate = useNavigate()
  const { id: userId, tenantId } = useUser()
  const [{ subject, body }, setDraft, sent] = useDraft(`question ${projectId ?? ''}`, noQuestion)
  const [isTried, setTried] = useState(false)
  const about = useQuery({
    ...query(projects.find, { params: { projectId: projectId ?? '' } }),
    enabled: projectId !== undefined,
  })
  const send = useCall(support.ask, {
    onMutate: () => ({ subject, body }),
    onSuccess: (thread, _, pressed) => {
      sent(pressed, (now) => {
        const more = [writtenSince(now.subject, pressed.subject), writtenSince(now.body, pressed.body)]
        const words = more.filter((text) => text !== '').join('\n')
        // What was written since goes on in the conversation that this has become.
        if (words !== '') keepWritten(userId, draftOf(thread), words)
        return null
      })
      void queryClient.invalidateQueries({ queryKey: ['support'] })
      toast.success(messages.asked)
      void navigate({ to: paths.supportThread, params: { threadId: thread.id } })
    },
  })
  const title = about.data?.title
  const said = subject.trim()
  const submit = () => {
    setTried(true)
    if (said === '' || body.trim() === '') return
    send.mutate({ body: { subject: said, body, ...(projectId !== undefined && { projectId }) } })
  }
  return (
    <FormDialog
      title={messages.askTitle}
      size="medium"
      submit={messages.send}
      cancel={messages.cancel}
      problem={send.isError && failureWords(send.error)}
      isPending={send.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-muted">
        {title !== undefined && <strong className="font-medium text-ink">{messages.about(title)}. </strong>}
        {tenantId ? messages.askText : messages.askTextAlone}
      </p>
      <TextField
        label={messages.subject}
        value={subject}
        onChange={(text) => setDraft({ subject: text, body })}
        maxLength={200}
        autoFocus
        error={isTried && said === '' ? messages.needSubject : undefined}
      />
      <TextArea
        label={messages.question}
        value={body}
        onChange={(text) => setDraft({ subject, body: text })}
        maxLength={10_000}
        rows={6}
        error={isTried && body.trim() === '' ? messages.needQuestion : undefined}
      />
    </FormDialog>
  )
}
