import { useState } from 'react'
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

const told = (words: (count: number) => string) => ({
  onSuccess: ({ count }: { count: number }) => void (count === 0 ? toast(messages.gone) : toast.success(words(count))),
  onError: toastFailure,
  onSettled: () => void queryClient.invalidateQueries({ queryKey: ['jobs'] }),
})

/** What may be done with one job. */
export const JobMenu = ({ of: { id, kind, at, actions } }: { of: GivenUpJob }) => {
  const send = useCall(jobs.sendAgain, told(messages.sent))
  const rest = useCall(
    jobs.letRest,
    told(() => messages.rests),
  )
  const body = { jobIds: [id] }
  const inMenu: Record<GivenUpJob['actions'][number], MenuAction> = {
    'send-again': { label: messages.sendAgain, icon: RotateCw, onAction: () => send.mutate({ body }) },
    'let-rest': {
      label: messages.letRest,
      icon: Moon,
      onAction: () => rest.mutate({ body }),
      confirm: { title: messages.restTitle, text: messages.restText, keep: messages.keepIt },
    },
  }
  return (
    <ActionMenu
      label={messages.actionsOf(messages.kinds[kind], whenWords(at))}
      isPending={send.isPending || rest.isPending}
      actions={actions.map((action) => inMenu[action])}
    />
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
