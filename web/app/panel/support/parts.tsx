import { Link } from '@tanstack/react-router'
import type { SupportThread } from '@clear-to-post/contract/support'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/status-chip.tsx'
import { messages } from './messages.ts'

const tones = { waiting: 'warn', answered: 'good', closed: 'plain' } as const

export const StateBadge = ({ of: { state } }: { of: Pick<SupportThread, 'state'> }) => (
  <Badge tone={tones[state]}>{messages.states[state]}</Badge>
)

/** Who asked, in a line. */
export const askerWords = ({ person, guestEmail }: SupportThread): string =>
  person?.name ?? guestEmail ?? messages.noAddress

/** What it is about and how the last message begins; on a phone the whole card leads there. */
export const Subject = ({ of: one }: { of: SupportThread }) => (
  <div className="grid min-w-0 gap-0.5">
    <Link
      to={paths.supportThread}
      params={{ threadId: one.id }}
      className="rounded font-medium underline-offset-2 [overflow-wrap:anywhere] hover:underline max-md:after:absolute max-md:after:inset-0"
    >
      {one.subject}
    </Link>
    <span className="line-clamp-1 text-[0.8125rem] text-muted [overflow-wrap:anywhere]">{one.lastWords}</span>
  </div>
)
