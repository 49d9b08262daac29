import type { Trigger } from '@clear-to-post/contract/notifications'
import { Ban, Check, CircleAlert, Clock, LoaderCircle, Pause, Repeat, type LucideIcon } from 'lucide-react'
import { Badge } from '../../ui/status-chip.tsx'
import { messages } from './messages.ts'

/** A trigger's status, always with its icon and its word. */
export const StatusBadge = ({ status }: { status: Trigger['status'] }) => {
  const { icon: Icon, tone } = looks[status]
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className={status === 'running' ? 'animate-spin motion-reduce:animate-none' : undefined} />
      {messages.statuses[status]}
    </Badge>
  )
}

const looks = {
  scheduled: { icon: Clock, tone: 'primary' },
  running: { icon: LoaderCircle, tone: 'primary' },
  active: { icon: Repeat, tone: 'good' },
  completed: { icon: Check, tone: 'good' },
  failed: { icon: CircleAlert, tone: 'danger' },
  paused: { icon: Pause, tone: 'warn' },
  cancelled: { icon: Ban, tone: 'plain' },
  expired: { icon: Check, tone: 'plain' },
} satisfies Record<Trigger['status'], { icon: LucideIcon; tone: 'plain' | 'primary' | 'good' | 'warn' | 'danger' }>
