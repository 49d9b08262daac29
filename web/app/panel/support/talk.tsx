import { useState } from 'react'
import { SendHorizontal } from 'lucide-react'
import { toast } from 'sonner'
import { support, type SupportConversation, type SupportMessage } from '@clear-to-post/contract/support'
import { keyOf, queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { useMay, useUser } from '../../session.ts'
import { fullWords, whenWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { TextArea } from '../../ui/fields.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useDraft, writtenSince } from '../project/use-draft.ts'
import { messages } from './messages.ts'

/** What was said and done, and the box for what comes next. */
export const Talk = ({ thread }: { thread: SupportConversation }) => (
  <section
    aria-labelledby="talk"
    className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
  >
    <h2 id="talk" className="text-base">
      {messages.conversation}
    </h2>
    <ol className="grid gap-4" aria-live="polite">
      {thread.messages.map((one) =>
        one.kind === 'message' ? (
          <Said key={one.id} of={one} thread={thread} />
        ) : (
          <Did key={one.id} of={one} thread={thread} />
        ),
      )}
    </ol>
    <Writer thread={thread} />
  </section>
)

const nameOf = ({ isMine, isByStaff, author }: SupportMessage, thread: SupportConversation): string => {
  if (isMine) return messages.you
  if (author !== undefined) return author
  return isByStaff ? messages.staff : (thread.guestEmail ?? messages.noAddress)
}

const Said = ({ of: one, thread }: { of: SupportMessage; thread: SupportConversation }) => (
  <li
    className={cx(
      'grid max-w-[min(46rem,92%)] gap-1 rounded-card px-4 py-3',
      one.isMine ? 'ml-auto bg-primary-tint' : 'bg-sunken',
    )}
  >
    <p className="flex flex-wrap items-baseline gap-x-2 text-[0.8125rem] text-muted">
      <span className="font-medium text-ink [overflow-wrap:anywhere]">{nameOf(one, thread)}</span>
      <time dateTime={one.at} title={fullWords(one.at)}>
        {whenWords(one.at)}
      </time>
    </p>
    <p className="whitespace-pre-line [overflow-wrap:anywhere]">{one.body}</p>
  </li>
)

const Did = ({ of: one, thread }: { of: SupportMessage; thread: SupportConversation }) => {
  const who = nameOf(one, thread)
  return (
    <li className="text-center text-[0.8125rem] text-muted">
      {one.kind === 'assigned'
        ? !one.isTaken
          ? messages.did.dropped(who)
          : one.about === undefined || one.about === one.author
            ? messages.did.took(who)
            : messages.did.given(who, one.about)
        : messages.did[one.kind as 'closed' | 'reopened'](who)}
      , <time dateTime={one.at}>{whenWords(one.at)}</time>
    </li>
  )
}

/** Under which what was begun in a conversation is kept. */
export const draftOf = (thread: { id: string }): string => `support ${thread.id}`

const Writer = ({ thread }: { thread: SupportConversation }) => {
  const user = useUser()
  const answers = useMay('support.answer') && thread.person?.id !== user.id
  const params = { threadId: thread.id }
  const [body, setBody, sent] = useDraft(draftOf(thread), '')
  const [isEmpty, setEmpty] = useState(false)
  const send = useCall(support.reply, {
    onMutate: () => body,
    onSuccess: (changed, _, pressed) => {
      sent(pressed, writtenSince)
      queryClient.setQueryData(keyOf(support.find, { params }), changed)
      void queryClient.invalidateQueries({ queryKey: ['support'] })
      toast.success(answers ? messages.answered : messages.sent)
    },
  })
  if (!thread.actions.includes('reply'))
    return (
      <p className="border-t border-line pt-4 text-muted">{answers ? messages.cannotAnswer : messages.leftCompany}</p>
    )
  const submit = () => {
    setEmpty(body.trim() === '')
    if (body.trim() !== '') send.mutate({ params, body: { body } })
  }
  return (
    <form
      noValidate
      className="grid gap-3 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        submit()
      }}
    >
      {send.isError && <Problem>{failureWords(send.error)}</Problem>}
      <TextArea
        label={answers ? messages.answer : messages.write}
        value={body}
        onChange={(text) => {
          setBody(text)
          setEmpty(false)
        }}
        rows={4}
        maxLength={10_000}
        error={isEmpty ? messages.needWords : undefined}
        hint={
          thread.state === 'closed'
            ? messages.reopens
            : answers && thread.guestEmail !== undefined
              ? messages.byMail(thread.guestEmail)
              : undefined
        }
      />
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <span className="text-[0.8125rem] text-muted pointer-coarse:hidden">{messages.sendKeys}</span>
        <Button type="submit" variant="primary" icon={<SendHorizontal aria-hidden />} isPending={send.isPending}>
          {answers ? messages.sendAnswer : messages.sendMore}
        </Button>
      </div>
    </form>
  )
}
