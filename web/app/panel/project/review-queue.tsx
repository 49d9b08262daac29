import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, ClipboardCheck } from 'lucide-react'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ageOf } from './due.ts'
import { messages } from './messages.ts'
import { ProjectThumb } from './project-thumb.tsx'
import { whoseWords } from './whose.ts'

const shownAtOnce = 5

/**
 * What else waits for review, for who reviews: beside a cut that waits, or that this viewer has just judged. What stands below
 * it is not shown before that is known, or it would move.
 */
export const useReviewQueue = (project: Project) => {
  const user = useUser()
  const last = project.timeline.reduce((a, b) => (b.timestamp >= a.timestamp ? b : a), project.timeline[0]!)
  const hasReviewed =
    last.metadata['actorId'] === user.id && (last.metadata['verb'] === 'approve' || last.metadata['verb'] === 'deny')
  const isHere = project.status === Status.waitingApproval
  const isShown = user.rooms.includes('review') && (isHere || hasReviewed)
  const list = useQuery({
    ...query(projects.list, {
      query: { perPage: 20, orderBy: 'modified:asc', wheres: [`status:eq:${Status.waitingApproval}`] },
    }),
    enabled: isShown,
  })
  return { list, isHere, hasReviewed, isShown, isKnown: !isShown || !list.isPending || list.failureCount > 0 }
}

/** What else waits, and the way to it. */
export const ReviewQueue = ({
  project,
  queue: { list, isHere, hasReviewed, isShown },
}: {
  project: Project
  queue: ReturnType<typeof useReviewQueue>
}) => {
  if (!isShown || !list.data) return null
  // What somebody else has to judge is no next one.
  const others = list.data.items.filter(({ id, actions }) => id !== project.id && actions.includes('approve'))
  const [next] = others
  if (isHere && !next) return null
  return (
    <section
      aria-labelledby="review-queue"
      className="grid gap-3 rounded-card border border-line bg-surface p-4 md:px-5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="review-queue" className="text-base">
          {messages.reviewQueue}
        </h2>
        <span className="figures text-muted">{`${others.length}${list.data.nextCursor ? '+' : ''}`}</span>
        {next ? (
          <LinkButton
            to={paths.project}
            params={{ projectId: next.id }}
            variant={hasReviewed ? 'primary' : 'secondary'}
            icon={<ArrowRight aria-hidden />}
            className="ml-auto"
          >
            {messages.nextCut}
          </LinkButton>
        ) : (
          <LinkButton to={paths.review} icon={<ClipboardCheck aria-hidden />} className="ml-auto">
            {messages.toReview}
          </LinkButton>
        )}
      </div>
      {next ? (
        <ol className="divide-y divide-line border-t border-line">
          {others.slice(0, shownAtOnce).map((one) => (
            <li key={one.id}>
              <Link
                to={paths.project}
                params={{ projectId: one.id }}
                className="flex min-h-12 items-center gap-3 py-1.5 hover:underline hover:underline-offset-2"
              >
                <ProjectThumb project={one} className="h-10 w-8" />
                <span className="grid min-w-0 flex-1 leading-snug [overflow-wrap:anywhere]">
                  {one.title}
                  <span className="text-[0.8125rem] text-muted">{whoseWords(one)}</span>
                </span>
                <span className="figures shrink-0 text-[0.8125rem] text-muted">{ageOf(one)}</span>
              </Link>
            </li>
          ))}
        </ol>
      ) : (
        <p className="text-muted">{messages.allReviewed}</p>
      )}
    </section>
  )
}
