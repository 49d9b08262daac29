import type { ReactNode } from 'react'
import { statuses, Status } from '@clear-to-post/domain/workflow'
import { ArrowUp, Calendar, Check, Clock, Ellipsis, Minus, RotateCcw, X, type LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'

/** A status, always with its icon and its word. */
export const StatusChip = ({ status, className }: { status: Status; className?: string }) => (
  <span
    className={cx(
      'inline-flex h-6 items-center gap-1.5 rounded-full pr-2.5 pl-1 text-xs font-medium whitespace-nowrap',
      looks[status].text,
      looks[status].tint,
      className,
    )}
  >
    <StatusIcon status={status} />
    {statuses[status]}
  </span>
)

/** The status's disc alone; only beside its word. */
export const StatusIcon = ({ status, className }: { status: Status; className?: string }) => {
  const { icon: Icon, disc } = looks[status]
  return (
    <span
      aria-hidden
      className={cx('grid size-4 shrink-0 place-items-center rounded-full text-surface', disc, className)}
    >
      <Icon className="size-[62%]" strokeWidth={3.5} />
    </span>
  )
}

/** A small word on a tint, for what is no status: counts, kinds, warnings. */
export const Badge = ({
  tone = 'plain',
  children,
  className,
}: {
  tone?: 'plain' | 'primary' | 'good' | 'warn' | 'danger'
  children: ReactNode
  className?: string
}) => (
  <span
    className={cx(
      'inline-flex h-6 items-center gap-1 rounded-full px-2.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5',
      tones[tone],
      className,
    )}
  >
    {children}
  </span>
)

/** Classes by status, for bars, columns and dots: `statusLook(status).text`. */
export const statusLook = (status: Status) => looks[status]

const looks = {
  [Status.submitted]: { icon: ArrowUp, text: 'text-submitted', tint: 'bg-submitted-tint', disc: 'bg-submitted' },
  [Status.inProgress]: { icon: Clock, text: 'text-in-progress', tint: 'bg-in-progress-tint', disc: 'bg-in-progress' },
  [Status.completed]: { icon: Check, text: 'text-completed', tint: 'bg-completed-tint', disc: 'bg-completed' },
  [Status.waitingApproval]: { icon: Ellipsis, text: 'text-waiting', tint: 'bg-waiting-tint', disc: 'bg-waiting' },
  [Status.denied]: { icon: X, text: 'text-denied', tint: 'bg-denied-tint', disc: 'bg-denied' },
  [Status.revisioning]: {
    icon: RotateCcw,
    text: 'text-revisioning',
    tint: 'bg-revisioning-tint',
    disc: 'bg-revisioning',
  },
  [Status.canceled]: { icon: Minus, text: 'text-canceled', tint: 'bg-canceled-tint', disc: 'bg-canceled' },
  [Status.scheduled]: { icon: Calendar, text: 'text-scheduled', tint: 'bg-scheduled-tint', disc: 'bg-scheduled' },
} satisfies Record<Status, { icon: LucideIcon; text: string; tint: string; disc: string }>

const tones = {
  plain: 'bg-sunken text-muted',
  primary: 'bg-primary-tint text-primary-text',
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  danger: 'bg-danger-tint text-danger',
}
