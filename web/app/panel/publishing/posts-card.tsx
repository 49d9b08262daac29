import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { toast } from 'sonner'
import type { Project } from '@clear-to-post/contract/projects'
import { publishing, type Post } from '@clear-to-post/contract/publishing'
import { sumFigures } from '@clear-to-post/domain/figures'
import { networks, type NetworkLimits } from '@clear-to-post/domain/networks'
import { hasEnded } from '@clear-to-post/domain/posting'
import { keyOf, query, useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { whenInSentence, whenWords } from '../../times.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { TimeDialog } from '../project/time-dialog.tsx'
import { languageName } from './captions-choice.tsx'
import { approvedOf, type Approved } from './approved-file.ts'
import { DayAlready } from './day-already.tsx'
import { EditPost } from './edit-post.tsx'
import { EndsBefore } from './ends-before.tsx'
import { figureWords } from './figures-words.ts'
import { messages } from './messages.ts'
import { PostWords } from './post-words.tsx'
import { needsOfficer } from './standing.ts'
import { stateShown } from './state-shown.ts'
import { useMove } from './use-move.ts'
import { useOfferedTimes } from './use-offered-times.ts'

/** How the posts of a project stand; nothing is asked where it has none. */
export const usePosts = (project: Project) =>
  useQuery({
    ...query(publishing.posts, { params: { projectId: project.id } }),
    enabled: project.hasPosts === true,
    // While one is on its way, it is looked at again; what has ended stays.
    refetchInterval: ({ state }) => (state.data?.items.some(isMoving) ? 3000 : false),
  })

/** How a project's posts stand, each with what may be done about it. */
export const PostsCard = ({ project }: { project: Project }) => {
  const answer = usePosts(project)
  return (
    <section aria-label={messages.posts} className="rounded-card border border-line bg-surface px-4 py-3 md:px-5">
      <h2
        id={postsHeading}
        tabIndex={-1}
        className="scroll-mt-20 text-base font-bold outline-offset-4 max-md:scroll-mt-[60svh]"
      >
        {messages.posts}
      </h2>
      <Loaded answer={answer} failed={messages.postsFailed} isSmall loading={<Skeleton className="mt-2 h-14 w-full" />}>
        {({ items }) => (
          <>
            <VideoSum posts={items} />
            <ul className="grid">
              {needyFirst(items).map((post) => (
                <PostRow key={post.id} post={post} approved={approvedOf(project)} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  )
}

/** Where what an officer has to do about posts is led to. */
export const postsHeading = 'posts'

/** Those that wait for their officer stand above the others. */
const needyFirst = (posts: readonly Post[]): Post[] =>
  posts.toSorted((a, b) => Number(needsOfficer(b.state)) - Number(needsOfficer(a.state)))

/** What the posts of a video have together, where there are several that tell it. */
const VideoSum = ({ posts }: { posts: readonly Post[] }) => {
  const figures = posts.flatMap((post) => post.figures ?? [])
  return figures.length < 2 ? null : (
    <p className="mt-1">
      <span className="font-medium">{messages.ofVideo}:</span> {figureWords(sumFigures(figures))}
    </p>
  )
}

/** It, or its comment, goes on by itself. */
const isMoving = ({ state, comment }: Post): boolean =>
  !hasEnded(state) || (state === 'live' && (comment?.state === 'waiting' || comment?.state === 'armed'))

const tones = { live: 'good', failed: 'danger', unconfirmed: 'warn' } as const

export const StateBadge = ({ state, network }: Pick<Post, 'state' | 'network'>) => (
  <Badge tone={state in tones ? tones[state as keyof typeof tones] : 'plain'}>
    {messages.states[stateShown(state, network)]}
  </Badge>
)

const PostRow = ({ post, approved }: { post: Post; approved: Approved }) => {
  const {
    network,
    state,
    failure,
    actions,
    address,
    dueAt,
    liveAt,
    figures,
    isFitted,
    remarks = [],
    comment,
    captions,
    privacy,
    coverMs,
  } = post
  const { name, tells }: NetworkLimits = networks[network]
  const chosen = [
    ...(privacy === undefined ? [] : [messages.seenBy(messages.privacies[privacy] ?? privacy)]),
    ...(coverMs === undefined ? [] : [messages.coverOf((coverMs / 1000).toFixed(1))]),
  ]
  return (
    <li className="grid gap-2 border-t border-line py-3 first:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="font-medium [overflow-wrap:anywhere]">{placeOf(post)}</p>
        <StateBadge state={state} network={network} />
        <span className="text-[0.8125rem] text-muted max-sm:basis-full sm:ml-auto">{whenWords(liveAt ?? dueAt)}</span>
      </div>
      {state !== 'handed' && <PostWords post={post} />}
      {state === 'failed' && failure && <p>{failure.words}</p>}
      {captions !== undefined && (
        <p className="text-[0.8125rem] text-muted">{messages.withCaptions(languageName(captions))}</p>
      )}
      {chosen.length > 0 && <p className="text-[0.8125rem] text-muted">{chosen.join(' · ')}</p>}
      {isFitted && <p className="text-[0.8125rem] text-muted">{messages.fitted(name)}</p>}
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
      {figures && (
        <p>
          {figureWords(figures)}{' '}
          <span className="inline-block text-[0.8125rem] text-muted">
            {messages.readOn(whenInSentence(figures.at))}
          </span>
        </p>
      )}
      {state === 'live' && tells === undefined && (
        <p className="text-[0.8125rem] text-muted">{messages.notTold(name)}</p>
      )}
      {state === 'unconfirmed' && (
        <p>{actions.includes('confirm') ? messages.lookThere(name) : messages.notKnown(name)}</p>
      )}
      {state === 'handed' && (
        <div className="grid justify-items-start gap-2">
          <p>{messages.handed(name)}</p>
          <p className="[overflow-wrap:anywhere] whitespace-pre-wrap text-muted">{post.words}</p>
          <Button
            size="small"
            aria-label={`${messages.copyText}: ${placeOf(post)}`}
            onPress={() =>
              void navigator.clipboard
                .writeText(post.words)
                .then(() => toast.success(messages.textCopied), toastFailure)
            }
          >
            {messages.copyText}
          </Button>
        </div>
      )}
      {comment && state !== 'withdrawn' && state !== 'removed' && (
        <div className="grid gap-1 border-l-2 border-line pl-3">
          <p className="[overflow-wrap:anywhere]">
            <span className="text-muted">
              {messages.firstComment}, {messages.commentStates[comment.state]}:
            </span>{' '}
            {comment.words}
          </p>
          {comment.failure && <p className="text-danger">{comment.failure.words}</p>}
          {comment.state === 'unconfirmed' && <p>{messages.commentLook(name)}</p>}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {address !== undefined && (
          <a
            href={address}
            target="_blank"
            rel="noreferrer"
            aria-label={`${messages.look}: ${placeOf(post)}`}
            className={buttonLook({ size: 'small' })}
          >
            <ExternalLink aria-hidden />
            {messages.look}
          </a>
        )}
        {state === 'failed' && failure?.kind === 'reauth' && actions.length > 0 && (
          <LinkButton to={paths.connections} search={{}} size="small" variant="primary">
            {messages.toConnections}
          </LinkButton>
        )}
        {actions.map((action) =>
          action === 'move' ? (
            <MovePost key={action} post={post} />
          ) : action === 'reword' ? (
            <EditPost key={action} post={post} name={placeOf(post)} approved={approved} />
          ) : (
            <PostAct key={action} post={post} action={action} />
          ),
        )}
      </div>
    </li>
  )
}

const placeOf = ({ network, account }: Post): string =>
  account === undefined ? networks[network].name : messages.on(networks[network].name, account)

const isAhead = ({ dueAt }: Post): boolean => Date.parse(dueAt) > Date.now() + 60_000

/** Posted again, it waits for its own time, or for its video's. */
const isToCome = (post: Post): boolean =>
  isAhead(post) || (post.videoAt !== undefined && Date.parse(post.videoAt) > Date.now())

type SimpleAction = Exclude<Post['actions'][number], 'move' | 'reword'>
const plain = (postId: string) => ({ params: { postId } })
/** What an officer does with a post: its call, its words, and whether it is asked once more before. */
const acts = {
  confirm: {
    call: publishing.confirm,
    inputOf: (postId: string) => ({ params: { postId }, body: {} }),
    words: 'confirm',
    done: 'confirmed',
    variant: 'primary',
    asks: false,
  },
  deny: {
    call: publishing.deny,
    inputOf: plain,
    words: 'deny',
    done: 'notThere',
    variant: 'secondary',
    asks: false,
  },
  repeat: {
    call: publishing.repeat,
    inputOf: plain,
    words: 'repeat',
    done: 'repeated',
    variant: 'secondary',
    asks: false,
  },
  withdraw: {
    call: publishing.withdraw,
    inputOf: plain,
    words: 'withdraw',
    done: 'withdrawn',
    variant: 'quiet',
    asks: false,
  },
  confirmComment: {
    call: publishing.confirmComment,
    inputOf: plain,
    words: 'confirmComment',
    done: 'commentConfirmed',
    variant: 'secondary',
    asks: false,
  },
  repeatComment: {
    call: publishing.repeatComment,
    inputOf: plain,
    words: 'repeatComment',
    done: 'commentRepeated',
    variant: 'secondary',
    asks: false,
  },
  remove: {
    call: publishing.takeDown,
    inputOf: plain,
    words: 'takeDown',
    done: 'takenDown',
    variant: 'quiet',
    asks: true,
  },
} as const satisfies Record<SimpleAction, unknown>

/** Moves this one post alone; its video and the others stay. */
const MovePost = ({ post }: { post: Post }) => {
  const { move, isPending } = useMove()
  const [isAsking, setAsking] = useState(false)
  const offered = useOfferedTimes({ may: isAsking, isOpen: isAsking })
  const { id, projectId, projectTitle: title, dueAt: from } = post
  const choose = async (to: string) => {
    if (await move({ projectId, title, from, posts: [id] }, to)) setAsking(false)
  }
  return (
    <>
      <Button size="small" aria-label={`${messages.move}: ${placeOf(post)}`} onPress={() => setAsking(true)}>
        {messages.move}
      </Button>
      {isAsking && (
        <TimeDialog
          title={messages.moveTitle(placeOf(post))}
          hint={messages.moveOneHint}
          confirm={messages.moveDo}
          isMove
          isOpen
          onOpenChange={setAsking}
          isPending={isPending}
          {...offered}
          begin={new Date(from)}
          about={(at) => (
            <>
              <EndsBefore posts={[post]} at={at} />
              <DayAlready at={at} except={projectId} />
            </>
          )}
          onChoose={(to) => void choose(to)}
        />
      )}
    </>
  )
}

const PostAct = ({ post, action }: { post: Post; action: SimpleAction }) => {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { call, inputOf, words, done, variant, asks } = acts[action]
  const input = { params: { projectId: post.projectId } }
  const { mutate, isPending } = useCall(call, {
    onSuccess: (fresh) => {
      setAsking(false)
      const mayRepeat = fresh.actions.includes('repeat')
      toast.success(
        done === 'repeated' && isAhead(fresh)
          ? messages.repeatedFor(whenInSentence(fresh.dueAt))
          : messages[done === 'notThere' && !mayRepeat ? 'notThereNow' : done],
      )
      client.setQueryData(keyOf(publishing.posts, input), (before?: { items: Post[] }) =>
        before ? { items: before.items.map((one) => (one.id === fresh.id ? fresh : one)) } : before,
      )
      void client.invalidateQueries({ queryKey: ['posts'] })
      void client.invalidateQueries({ queryKey: ['projects'] })
    },
    onError: (error) => {
      setAsking(false)
      toastFailure(error)
      void client.invalidateQueries({ queryKey: keyOf(publishing.posts, input) })
    },
  })
  const act = () => mutate(inputOf(post.id))
  const named =
    action === 'confirm' && post.state === 'handed'
      ? messages.confirmHanded
      : action === 'repeat' && post.state === 'withdrawn' && isToCome(post)
        ? messages.repeatLater
        : messages[words]
  return (
    <>
      <Button
        size="small"
        variant={variant}
        isDisabled={isPending}
        aria-label={`${named}: ${placeOf(post)}`}
        onPress={asks ? () => setAsking(true) : act}
      >
        {named}
      </Button>
      {asks && (
        <Confirm
          title={messages.takeDownTitle(networks[post.network].name)}
          text={messages.takeDownText}
          confirm={messages.takeDown}
          keep={messages.keep}
          isOpen={isAsking}
          onOpenChange={setAsking}
          isPending={isPending}
          onConfirm={act}
        />
      )}
    </>
  )
}
