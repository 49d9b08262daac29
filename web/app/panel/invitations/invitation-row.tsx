import type { SentInvitation } from '@clear-to-post/contract/invitations'
import { dayWords } from '../../times.ts'
import { Badge } from '../../ui/status-chip.tsx'
import { InvitationMenu } from './invitation-menu.tsx'
import { messages as people } from '../accounts/messages.ts'
import { messages } from './messages.ts'

/** An invitation on a phone. */
export const InvitationCard = ({ of: one }: { of: SentInvitation }) => (
  <>
    <div className="grid min-w-0 flex-1 gap-1">
      <p className="font-medium [overflow-wrap:anywhere]">{one.email}</p>
      <p className="text-[0.8125rem] text-muted">
        {[people.roles[one.role], one.tenantName].filter(Boolean).join(' · ')}
      </p>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted">
        <InvitationState of={one} />
        <Sent of={one} />
      </p>
    </div>
    <InvitationMenu of={one} />
  </>
)

export const InvitationState = ({ of: { state } }: { of: SentInvitation }) => (
  <Badge tone={state === 'open' ? 'good' : state === 'accepted' ? 'plain' : 'warn'}>{messages.states[state]}</Badge>
)

/** When it was sent last, how often, and until when it is good. */
export const Sent = ({ of: { sentAt, sentTimes, endsAt, state } }: { of: SentInvitation }) => (
  <span>
    {[
      dayWords(sentAt),
      sentTimes > 1 && messages.sentTimes(sentTimes),
      state === 'open' && messages.until(dayWords(endsAt)),
    ]
      .filter(Boolean)
      .join(', ')}
  </span>
)
