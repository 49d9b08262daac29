import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { toast } from 'sonner'
import { publishing, type Post } from '@clear-to-post/contract/publishing'
import { networks } from '@clear-to-post/domain/networks'
import { hasEnded } from '@clear-to-post/domain/posting'
import { keyOf, query, useCall } from '../../api.ts'
import { whenWords } from '../../times.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

/** How a project's posts stand, each with what may be done about it. Nothing where there are none. */
export const PostsCard = ({ projectId }: { projectId: string }) => {
  const answer = useQuery({
    ...query(publishing.posts, { params: { projectId } }),
    // While one is on its way, it is looked at again; what has ended stays.
    refetchInterval: ({ state }) => (state.data?.items.some((post) => !hasEnded(post.state)) ? 3000 : false),
  })
  return (
    <section aria-label={messages.posts} className="rounded-card border border-line bg-surface px-4 py-3 md:px-5">
      <h2 className="text-base font-bold">{messages.posts}</h2>
      <Loaded answer={answer} failed={messages.postsFailed} isSmall loading={<Skeleton className="mt-2 h-14 w-full" />}>
        {({ items }) => (
          <ul className="grid">
            {items.map((post) => (
              <PostRow key={post.id} post={post} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

const tones = { live: 'good', failed: 'danger', unconfirmed: 'warn' } as const

export const StateBadge = ({ state }: Pick<Post, 'state'>) => (
  <Badge tone={state in tones ? tones[state as keyof typeof tones] : 'plain'}>{messages.states[state]}</Badge>
)

const PostRow = ({ post }: { post: Post }) => {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { network, account, state, failure, actions, address, dueAt, liveAt } = post
  const { name } = networks[network]
  const input = { params: { projectId: post.projectId } }
  const did = (words: string) => ({
    onSuccess: (fresh: Post) => {
      setAsking(false)
      toast.success(words)
      client.setQueryData(keyOf(publishing.posts, input), (before?: { items: Post[] }) =>
        before ? { items: before.items.map((one) => (one.id === fresh.id ? fresh : one)) } : before,
      )
      void client.invalidateQueries({ queryKey: ['posts'] })
    },
    onError: (error: Error) => {
      setAsking(false)
      toastFailure(error)
      void client.invalidateQueries({ queryKey: keyOf(publishing.posts, input) })
    },
  })
  const confirm = useCall(publishing.confirm, did(messages.confirmed))
  const repeat = useCall(publishing.repeat, did(messages.repeated))
  const withdraw = useCall(publishing.withdraw, did(messages.withdrawn))
  const takeDown = useCall(publishing.takeDown, did(messages.takenDown))
  const params = { postId: post.id }
  const isBusy = confirm.isPending || repeat.isPending || withdraw.isPending || takeDown.isPending
  const named = (words: string) => `${words}: ${account === undefined ? name : messages.on(name, account)}`
  return (
    <li className="grid gap-2 border-t border-line py-3 first:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="font-medium [overflow-wrap:anywhere]">
          {account === undefined ? name : messages.on(name, account)}
        </p>
        <StateBadge state={state} />
        <span className="ml-auto text-[0.8125rem] text-muted">{whenWords(liveAt ?? dueAt)}</span>
      </div>
      {state === 'failed' && failure && <p>{failure.words}</p>}
      {state === 'unconfirmed' && <p>{messages.lookThere(name)}</p>}
      <div className="flex flex-wrap gap-2">
        {address !== undefined && (
          <a href={address} target="_blank" rel="noreferrer" className={buttonLook({ size: 'small' })}>
            <ExternalLink aria-hidden />
            {messages.look}
          </a>
        )}
        {actions.includes('confirm') && (
          <Button
            size="small"
            variant="primary"
            isDisabled={isBusy}
            aria-label={named(messages.confirm)}
            onPress={() => confirm.mutate({ params, body: {} })}
          >
            {messages.confirm}
          </Button>
        )}
        {actions.includes('repeat') && (
          <Button
            size="small"
            isDisabled={isBusy}
            aria-label={named(messages.repeat)}
            onPress={() => repeat.mutate({ params })}
          >
            {messages.repeat}
          </Button>
        )}
        {actions.includes('withdraw') && (
          <Button
            size="small"
            variant="quiet"
            isDisabled={isBusy}
            aria-label={named(messages.withdraw)}
            onPress={() => withdraw.mutate({ params })}
          >
            {messages.withdraw}
          </Button>
        )}
        {actions.includes('remove') && (
          <Button
            size="small"
            variant="quiet"
            isDisabled={isBusy}
            aria-label={named(messages.takeDown)}
            onPress={() => setAsking(true)}
          >
            {messages.takeDown}
          </Button>
        )}
      </div>
      <Confirm
        title={messages.takeDownTitle(name)}
        text={messages.takeDownText}
        confirm={messages.takeDown}
        keep={messages.keep}
        isOpen={isAsking}
        onOpenChange={setAsking}
        isPending={takeDown.isPending}
        onConfirm={() => takeDown.mutate({ params })}
      />
    </li>
  )
}
