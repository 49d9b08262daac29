import { useState, type FormEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { CheckCircle2, Ellipsis, Pencil, Reply, RotateCcw, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import { projects } from '@clear-to-post/contract/projects'
import { keyOf, useCall } from '../../api.ts'
import { agoWords, fullWords } from '../../times.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { TextArea } from '../../ui/fields.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import type { Remark } from './conversation.tsx'
import { messages } from './messages.ts'
import { useDraft, writtenSince } from './use-draft.ts'

/** Who wrote a comment or an answer, when and what; and what the reader may do with it. */
export const RemarkWords = ({ remark }: { remark: Remark }) => {
  const [writing, setWriting] = useState<'answer' | 'edit' | null>(null)
  const calls = useRemarkCalls(remark)
  const { actions, doneAt, isDeleted } = remark
  const end = () => setWriting(null)
  return (
    <>
      <div className="flex items-start gap-1">
        <p className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-x-1.5 text-[0.8125rem] text-muted">
          <Avatar name={remark.authorName} className="size-5 text-[0.625rem]" />
          <span className="font-medium text-ink">{remark.authorName}</span>
          <time dateTime={remark.createdAt} title={fullWords(remark.createdAt)}>
            {agoWords(remark.createdAt)}
          </time>
          {remark.editedAt && <span title={fullWords(remark.editedAt)}>{messages.edited}</span>}
          {remark.isInternal && !remark.parentId && <Badge tone="plain">{messages.internal}</Badge>}
          {doneAt && (
            <Badge tone="good">
              <CheckCircle2 aria-hidden />
              {messages.resolved}
            </Badge>
          )}
        </p>
        {actions.length > 0 && (
          <Menu
            label={messages.commentMenu(remark.authorName)}
            trigger={
              <IconButton
                label={messages.commentMenu(remark.authorName)}
                className="size-7! text-muted max-md:size-11!"
              >
                <Ellipsis aria-hidden />
              </IconButton>
            }
          >
            {actions.includes('answer') && (
              <MenuItem icon={<Reply aria-hidden />} onAction={() => setWriting('answer')}>
                {messages.answerIt}
              </MenuItem>
            )}
            {actions.includes('tick') && (
              <MenuItem
                icon={doneAt ? <RotateCcw aria-hidden /> : <CheckCircle2 aria-hidden />}
                onAction={() => calls.tick(!doneAt)}
              >
                {doneAt ? messages.reopen : messages.resolve}
              </MenuItem>
            )}
            {actions.includes('edit') && (
              <MenuItem icon={<Pencil aria-hidden />} onAction={() => setWriting('edit')}>
                {messages.editIt}
              </MenuItem>
            )}
            {actions.includes('delete') && (
              <MenuItem icon={<Trash2 aria-hidden />} isDanger onAction={calls.remove}>
                {messages.deleteIt}
              </MenuItem>
            )}
          </Menu>
        )}
      </div>
      {writing === 'edit' ? (
        <Writer
          label={messages.editIt}
          of={draftOf('edit', remark.id)}
          start={remark.text}
          submit={messages.saveIt}
          call={projects.editComment}
          remark={remark}
          onEnd={end}
        />
      ) : (
        <p
          className={cx(
            'mt-0.5 [overflow-wrap:anywhere] whitespace-pre-line',
            (isDeleted || doneAt) && 'text-muted',
            isDeleted && 'italic',
          )}
        >
          {isDeleted ? messages.deleted : remark.text}
        </p>
      )}
      {writing === 'answer' && (
        <Writer
          label={messages.answerTo(remark.authorName)}
          of={draftOf('answer', remark.id)}
          start=""
          submit={messages.answerIt}
          call={projects.answerComment}
          remark={remark}
          left={writtenSince}
          onEnd={end}
        />
      )}
    </>
  )
}

const draftOf = (what: 'answer' | 'edit', commentId: string): string => `${what} of comment ${commentId}`

const Writer = ({
  label,
  of,
  start,
  submit,
  call,
  remark: { id: commentId, projectId },
  left,
  onEnd,
}: {
  label: string
  /** Under which what was begun is kept, until it is sent. */
  of: string
  start: string
  submit: string
  call: typeof projects.answerComment | typeof projects.editComment
  remark: Remark
  /** What stays of words that were written since. */
  left?: typeof writtenSince
  onEnd: () => void
}) => {
  const [text, setText, sent] = useDraft(of, start)
  const { mutate, isPending } = useCall(call, {
    ...useEnd(projectId),
    onMutate: () => text,
    // Also where the form was closed meanwhile.
    onSuccess: (_, __, pressed) => {
      if (sent(pressed, left) === null) onEnd()
    },
  })
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    if (text.trim() !== '') mutate({ params: { projectId, commentId }, body: { text: text.trim() } })
  }
  return (
    <form className="mt-1.5 grid gap-2" onSubmit={send}>
      <TextArea
        label={label}
        rows={2}
        maxLength={2000}
        value={text}
        onChange={setText}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
          if (event.key === 'Escape') onEnd()
        }}
      />
      <div className="flex justify-end gap-2">
        <Button size="small" variant="quiet" onPress={onEnd}>
          {messages.stop}
        </Button>
        <Button type="submit" size="small" variant="primary" isPending={isPending} isDisabled={text.trim() === ''}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

const useEnd = (projectId: string) => {
  const client = useQueryClient()
  return {
    onError: toastFailure,
    onSettled: () => void client.invalidateQueries({ queryKey: keyOf(projects.comments, { params: { projectId } }) }),
  }
}

const useRemarkCalls = ({ id: commentId, projectId }: Remark) => {
  const params = { projectId, commentId }
  const shared = useEnd(projectId)
  const remove = useCall(projects.deleteComment, {
    ...shared,
    onSuccess: () => void toast.success(messages.deletedDone),
  })
  const tick = useCall(projects.tickComment, shared)
  return {
    remove: () => remove.mutate({ params }),
    tick: (isDone: boolean) => tick.mutate({ params, body: { isDone } }),
  }
}
