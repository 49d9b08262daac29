import { useRef, useState } from 'react'
import { Moon, RotateCw } from 'lucide-react'
import { toast } from 'sonner'
import { jobs, type GivenUpJob } from '@clear-to-post/contract/jobs'
import type { JobKind } from '@clear-to-post/domain/job-kinds'
import { queryClient, useCall } from '../../api.ts'
import { whenWords } from '../../times.ts'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

const told = (words: (count: number) => string, isDone: () => void = () => {}) => ({
  onSuccess: ({ count }: { count: number }) => void (count === 0 ? toast(messages.gone) : toast.success(words(count))),
  onError: toastFailure,
  onSettled: () => void queryClient.invalidateQueries({ queryKey: ['jobs'] }).then(isDone),
})

const afterMs = [0, 100, 500, 2000]

/** What may be done with one job. Its row goes: whoever works by keyboard goes on at the next one. */
export const JobMenu = ({ of: { id, kind, at, actions } }: { of: GivenUpJob }) => {
  const place = useRef<HTMLSpanElement>(null)
  const next = useRef<Element | null>(null)
  const focusNext = () => {
    if (document.activeElement !== document.body) return
    const button = next.current?.isConnected ? next.current.querySelector('button') : null
    ;(button ?? document.querySelector<HTMLElement>('#content a[aria-current=page]'))?.focus()
  }
  // The list may take the row away before or after this, and the menu goes once it has faded.
  const goOn = () => afterMs.forEach((ms) => setTimeout(focusNext, ms))
  const send = useCall(jobs.sendAgain, told(messages.sent, goOn))
  const rest = useCall(
    jobs.letRest,
    told(() => messages.rests, goOn),
  )
  const body = { jobIds: [id] }
  const act = (call: typeof send | typeof rest) => () => {
    const row = place.current?.closest('tr, li')
    next.current = row?.nextElementSibling ?? row?.previousElementSibling ?? null
    call.mutate({ body })
  }
  const inMenu: Record<GivenUpJob['actions'][number], MenuAction> = {
    'send-again': { label: messages.sendAgain, icon: RotateCw, onAction: act(send) },
    'let-rest': {
      label: messages.letRest,
      icon: Moon,
      onAction: act(rest),
      confirm: { title: messages.restTitle, text: messages.restText, keep: messages.keepIt },
    },
  }
  return (
    <span ref={place}>
      <ActionMenu
        label={messages.actionsOf(messages.kinds[kind], whenWords(at))}
        isPending={send.isPending || rest.isPending}
        actions={actions.map((action) => inMenu[action])}
      />
    </span>
  )
}

/** All of one kind at once, as after a mail server was away for half a day. */
export const SendAllButton = ({ kind, count }: { kind: JobKind; count: number }) => {
  const [isAsking, setAsking] = useState(false)
  const send = useCall(jobs.sendAll, told(messages.sent))
  return (
    <>
      <Button icon={<RotateCw aria-hidden />} isPending={send.isPending} onPress={() => setAsking(true)}>
        {messages.sendAll(count)}
      </Button>
      <Confirm
        title={messages.sendAllTitle}
        text={messages.sendAllText}
        keep={messages.keep}
        confirm={messages.sendAll(count)}
        isOpen={isAsking}
        onOpenChange={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          send.mutate({ body: { kind } })
        }}
      />
    </>
  )
}
