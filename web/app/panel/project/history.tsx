import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import type { Post } from '@clear-to-post/contract/publishing'
import { networks } from '@clear-to-post/domain/networks'
import { posting, type EditedPart } from '@clear-to-post/domain/posting'
import type { Role } from '@clear-to-post/domain/roles'
import { workflow, type Verb } from '@clear-to-post/domain/workflow'
import { useMay, useUser } from '../../session.ts'
import { fullWords, whenWords } from '../../times.ts'
import { StatusIcon } from '../../ui/status-chip.tsx'
import { editorsQuery } from '../accounts/use-people.ts'
import { FeedbackCard, feedbackIn } from './feedback-card.tsx'
import { messages as posted } from '../publishing/messages.ts'
import { usePosts } from '../publishing/posts-card.tsx'
import { messages } from './messages.ts'

type Item = Project['timeline'][number]

/** What happened to a post of the video, as an item of its timeline. */
type OfPost = {
  timestamp: string
  title: string
  place: string
  dueAt?: string | undefined
  changed?: readonly EditedPart[] | undefined
}

const ofPosts = (posts: readonly Post[]): OfPost[] =>
  posts.flatMap(({ network, account, history = [] }) =>
    history.map(({ event, at, dueAt, changed }) => ({
      timestamp: at,
      title: posting[event].title,
      place: account === undefined ? networks[network].name : posted.on(networks[network].name, account),
      dueAt,
      changed,
    })),
  )

/** The timeline as a ledger, newest first, in the service's words; with what happened to each of its posts. */
export const History = ({ project }: { project: Project }) => {
  const posts = usePosts(project).data?.items
  const all: (Item | OfPost)[] = [...project.timeline, ...ofPosts(posts ?? [])]
  const items = all.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
  return (
    <ol className="relative before:absolute before:top-3 before:bottom-3 before:left-[0.5625rem] before:w-px before:bg-line">
      {items.map((item, index) =>
        'place' in item ? (
          <PostItem key={index} item={item} />
        ) : (
          <li key={index} className="relative flex gap-3.5 pb-5 last:pb-0">
            <StatusIcon status={item.status} className="mt-0.5 size-4.75! ring-4 ring-surface" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{item.title}</span>
                {typeof item.metadata['cut'] === 'number' && <span>{messages.cut(item.metadata['cut'])}</span>}
                <Who item={item} project={project} />
                <time
                  dateTime={item.timestamp}
                  title={fullWords(item.timestamp)}
                  className="ml-auto text-[0.8125rem] text-muted"
                >
                  {whenWords(item.timestamp)}
                </time>
              </p>
              <p className="text-muted">{item.description}</p>
              <Details item={item} />
            </div>
          </li>
        ),
      )}
    </ol>
  )
}

const PostItem = ({ item: { timestamp, title, place, dueAt, changed = [] } }: { item: OfPost }) => (
  <li className="relative flex gap-3.5 pb-5 last:pb-0">
    <Send aria-hidden className="mt-0.5 size-4.75 shrink-0 bg-surface p-0.5 text-muted ring-4 ring-surface" />
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{title}</span>
        <span className="[overflow-wrap:anywhere]">{place}</span>
        <time dateTime={timestamp} title={fullWords(timestamp)} className="ml-auto text-[0.8125rem] text-muted">
          {whenWords(timestamp)}
        </time>
      </p>
      {dueAt !== undefined && <p>{messages.forTime(whenWords(dueAt))}</p>}
      {changed.length > 0 && <p>{posted.changed(changed)}</p>}
    </div>
  </li>
)

// The record keeps roles, no names, because it outlives the people; names are added only where they are still known.
const Who = ({ item: { metadata, key }, project }: { item: Item; project: Project }) => {
  const user = useUser()
  const { actorId, actorRole } = metadata as { actorId?: string; actorRole?: Role }
  const name =
    actorId === user.id
      ? messages.you
      : actorId === project.userId
        ? project.userName
        : actorId === project.editorId
          ? project.editorName
          : undefined
  const who = key?.isCompanys ? messages.company : (name ?? (actorRole ? messages.role[actorRole] : undefined))
  if (!who) return null
  return (
    <span className="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
      {key ? messages.byKey(who, key.name) : who}
    </span>
  )
}

const Details = ({ item: { metadata } }: { item: Item }) => {
  const feedback = feedbackIn(metadata)
  const { revision, comments, publishAt, undoes, editorId, isOlder } = metadata as Partial<Record<string, unknown>>
  return (
    <>
      {typeof revision === 'string' && (
        <blockquote className="mt-2 border-l-2 border-revisioning pl-3 [overflow-wrap:anywhere] whitespace-pre-line">
          {revision}
          {typeof comments === 'number' && comments > 0 && (
            <span className="mt-0.5 block text-[0.8125rem] text-muted">{messages.withComments(comments)}</span>
          )}
        </blockquote>
      )}
      {isOlder === true && <p>{messages.olderCut}</p>}
      {typeof publishAt === 'string' && <p>{messages.forTime(whenWords(publishAt))}</p>}
      {typeof undoes === 'string' && <p>{messages.undoes(workflow[undoes as Verb]?.title ?? undoes)}</p>}
      {metadata['verb'] === 'assign' && <AssignedTo editorId={editorId} />}
      {feedback && (
        <div className="mt-2">
          <FeedbackCard title={messages.feedback} feedback={feedback} categories={metadata['categories']} />
        </div>
      )}
    </>
  )
}

const AssignedTo = ({ editorId }: { editorId: unknown }) => {
  const editors = useQuery({ ...editorsQuery, enabled: useMay('project.assign') })
  if (editorId === null) return <p>{messages.backToQueue}</p>
  const name = editors.data?.find(({ id }) => id === editorId)?.name
  return name ? <p>{messages.assignedTo(name)}</p> : null
}
