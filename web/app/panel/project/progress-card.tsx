import type { ReactNode } from 'react'
import { Clock, Hourglass } from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { fullWords } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Badge, StatusChip } from '../../ui/status-chip.tsx'
import { postsHeading } from '../publishing/posts-card.tsx'
import { messages as standingMessages } from '../publishing/standing-messages.ts'
import { standingOf, type Posts } from '../publishing/standing.ts'
import { messages } from './messages.ts'
import { progressOf, stations, type Station } from './progress.ts'

/** One glance: where it is, who is next, when it is ready; and below it what the viewer may do. */
export const ProgressCard = ({ project, children }: { project: Project; children?: ReactNode }) => {
  const user = useUser()
  const { when, isLate, next, isYou, station } = progressOf(project, user)
  const exact = project.publishAt ?? project.dueBy
  return (
    <section aria-labelledby="progress" className="rounded-card border border-line bg-surface">
      <div className="grid gap-3 p-4 md:p-5">
        <div className="flex flex-wrap items-center gap-2">
          <StatusChip status={project.status} />
          {isYou && (
            <Badge tone="primary">
              <Hourglass aria-hidden />
              {messages.waitingOnYou}
            </Badge>
          )}
        </div>
        <div className="grid gap-1">
          <h2
            id="progress"
            className={cx('flex items-start gap-2 text-xl leading-snug', isLate && 'text-danger')}
            title={exact ? fullWords(exact) : undefined}
          >
            {isLate && <Clock aria-hidden className="mt-1 size-5 shrink-0" />}
            {when}
          </h2>
          <p className="text-muted">{next}</p>
          {isYou && project.posts && <ToPosts posts={project.posts} />}
          {project.waitsFor && isYou && (
            <LinkButton to={paths.plan} variant="primary" className="mt-2 justify-self-start">
              {messages.next.toPlan}
            </LinkButton>
          )}
        </div>
        {station && <Way at={station} />}
      </div>
      {children}
    </section>
  )
}

/** What helps a post that needs its officer first; the rest stands under Posts. */
const ToPosts = ({ posts }: { posts: Posts }) =>
  standingOf(posts).wantsSignIn ? (
    <LinkButton to={paths.connections} search={{}} variant="primary" className="mt-2 justify-self-start">
      {standingMessages.connect}
    </LinkButton>
  ) : (
    <Button
      variant="primary"
      className="mt-2 justify-self-start"
      onPress={() => {
        const heading = document.getElementById(postsHeading)
        heading?.focus({ preventScroll: true })
        heading?.scrollIntoView({ block: 'start' })
      }}
    >
      {standingMessages.toPosts}
    </Button>
  )

/** The ledger ruler as the way of a video: its stations, the coral head where it stands. */
const Way = ({ at }: { at: Station }) => {
  const index = stations.indexOf(at)
  const part = index / (stations.length - 1)
  return (
    <div
      role="img"
      aria-label={`${messages.way}. ${messages.stationNow(messages.station[at])}`}
      // At its end it says what the chip says, and on a phone its room is the buttons'.
      className={cx('pt-1', part === 1 && 'max-md:hidden')}
    >
      <div className="relative h-6">
        <div className="absolute inset-x-0 bottom-0 h-1.5 [background:repeating-linear-gradient(to_right,var(--color-edge)_0_1px,transparent_1px_calc((100%-1px)/30))] opacity-50" />
        <div className="absolute bottom-0 left-0 h-px w-full bg-line" />
        <div className="absolute bottom-0 left-0 h-0.5 bg-ink" style={{ width: `${part * 100}%` }} />
        {stations.map((station, i) => (
          <span
            key={station}
            className={cx('absolute bottom-0 h-3 w-px', i <= index ? 'bg-ink' : 'bg-edge')}
            style={{ left: i === stations.length - 1 ? 'calc(100% - 1px)' : `${(i / (stations.length - 1)) * 100}%` }}
          />
        ))}
        <span
          className="absolute top-0 bottom-0 w-0.5 -translate-x-1/2 bg-coral"
          style={{ left: `calc(${part} * (100% - 2px) + 1px)` }}
        >
          <span className="absolute top-0 -left-1 h-2.25 w-2.5 bg-coral [clip-path:polygon(0_0,100%_0,100%_45%,50%_100%,0_45%)]" />
        </span>
      </div>
      <div className="relative mt-1.5 h-4 font-mono text-[0.6875rem] text-muted">
        {stations.map((station, i) => (
          <span
            key={station}
            className={cx(
              'absolute',
              i === 0 ? 'left-0' : i === stations.length - 1 ? 'right-0' : '-translate-x-1/2',
              i === index && 'font-semibold text-ink',
            )}
            style={i === 0 || i === stations.length - 1 ? undefined : { left: `${(i / (stations.length - 1)) * 100}%` }}
          >
            {messages.station[station]}
          </span>
        ))}
      </div>
    </div>
  )
}
