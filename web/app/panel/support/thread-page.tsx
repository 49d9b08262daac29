import type { ReactNode } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, RotateCcw } from 'lucide-react'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { support, type SupportThread } from '@clear-to-post/contract/support'
import { hasDuty } from '@clear-to-post/domain/roles'
import { keyOf, query, queryClient, useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMay, useUser } from '../../session.ts'
import { whenWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { DetailPage } from '../detail-page.tsx'
import { Card, Facts } from '../person/card.tsx'
import { EventsCard } from '../person/events-card.tsx'
import { VideosCard } from '../person/videos-card.tsx'
import { AssigneeSelect } from './assignee-select.tsx'
import { messages } from './messages.ts'
import { StateBadge } from './parts.tsx'
import { Talk } from './talk.tsx'

const route = getRouteApi('/panel/support/$threadId')

/** One question: what was said, the answer, and for who answers what its asker did lately. */
export const ThreadPage = () => {
  const { threadId } = route.useParams()
  const found = useQuery(query(support.find, { params: { threadId } }))
  return (
    <DetailPage
      title={found.data?.subject ?? messages.one}
      back={{ to: paths.support, label: messages.back }}
      beside={(thread) => <StateBadge of={thread} />}
      actions={(thread) => <Acts of={thread} />}
      found={found}
      missing={{ title: messages.missingTitle, text: messages.missingText, toList: messages.toList }}
      failed={messages.oneFailed}
      loading={
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_26rem] wide:grid-cols-[minmax(0,1fr)_36rem]">
          <Skeleton className="h-96 rounded-card" />
          <Skeleton className="h-60 rounded-card" />
        </div>
      }
    >
      {(thread) =>
        thread && (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_26rem] wide:grid-cols-[minmax(0,1fr)_36rem]">
            <Talk key={thread.id} thread={thread} />
            <aside className="grid grid-cols-[minmax(0,1fr)] gap-5" aria-label={messages.details}>
              <Details of={thread} />
              <AskerLately of={thread} />
            </aside>
          </div>
        )
      }
    </DetailPage>
  )
}

/** Close, or open again; each takes the other back. */
const Acts = ({ of: { id, actions, lastMessageId } }: { of: SupportThread }) => {
  const params = { threadId: id }
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: ['support'] })
  const put = {
    onSuccess: (thread: SupportThread) => {
      queryClient.setQueryData(keyOf(support.find, { params }), thread)
      readAgain()
    },
    onError: (error: Error) => {
      toastFailure(error)
      readAgain()
    },
  }
  const reopen = useCall(support.reopen, put)
  const close = useCall(support.close, {
    ...put,
    onSuccess: (thread) => {
      put.onSuccess(thread)
      toast.success(messages.closedToast, {
        action: { label: messages.undo, onClick: () => reopen.mutate({ params }) },
      })
    },
  })
  const closes = actions.includes('close')
  if (!closes && !actions.includes('reopen')) return null
  // One button for both, so that it keeps the focus.
  return (
    <Button
      icon={closes ? <CircleCheck aria-hidden /> : <RotateCcw aria-hidden />}
      isPending={close.isPending || reopen.isPending}
      onPress={() => (closes ? close.mutate({ params, body: { lastMessageId } }) : reopen.mutate({ params }))}
    >
      {closes ? messages.close : messages.reopen}
    </Button>
  )
}

const Details = ({ of: thread }: { of: SupportThread }) => {
  const user = useUser()
  const answers = useMay('support.answer') && thread.person?.id !== user.id
  const { person, tenant, project, guestEmail } = thread
  const link = 'underline underline-offset-2'
  const facts: (readonly [string, ReactNode])[] = [
    ...(answers
      ? ([
          [
            messages.asker,
            person ? (
              <Link to={paths.person} params={{ personId: person.id }} className={link}>
                {person.name}
              </Link>
            ) : (
              messages.guest
            ),
          ],
          [messages.address, guestEmail],
          [messages.company, tenant?.name],
        ] as const)
      : []),
    [
      messages.video,
      project && (
        <Link to={paths.project} params={{ projectId: project.id }} className={link}>
          {project.title}
        </Link>
      ),
    ],
    [messages.when, whenWords(thread.createdAt)],
  ]
  return (
    <Card id="details" title={messages.details}>
      <Facts of={facts} />
      {answers && guestEmail !== undefined && <p className="text-[0.8125rem] text-muted">{messages.unproved}</p>}
      {answers && <AssigneeSelect thread={thread} />}
    </Card>
  )
}

/** For who answers: the asker's videos and what changed of their account, as on their own page. */
const AskerLately = ({ of: { person } }: { of: SupportThread }) => {
  const user = useUser()
  const answers = useMay('support.answer')
  const isShown = answers && person !== undefined && person.id !== user.id
  const found = useQuery({ ...query(accounts.person, { params: { userId: person?.id ?? '' } }), enabled: isShown })
  if (!isShown) return null
  return (
    <Loaded answer={found} failed={messages.oneFailed} isSmall loading={<Skeleton className="h-60 rounded-card" />}>
      {(one) => (
        <>
          {(hasDuty(one.role, 'film') || hasDuty(one.role, 'edit')) && <VideosCard person={one} />}
          <EventsCard person={one} />
        </>
      )}
    </Loaded>
  )
}
