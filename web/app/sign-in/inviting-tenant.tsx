import type { CallAnswer } from '@clear-to-post/contract/call'
import type { tenants } from '@clear-to-post/contract/tenants'
import { Avatar } from '../ui/avatar.tsx'
import { messages } from './messages.ts'

/** Whom one is about to join: the tenant's logo, name and colour. */
export const InvitingTenant = ({ tenant }: { tenant: CallAnswer<typeof tenants.invitation> }) => (
  <div
    className="flex items-center gap-3 rounded-control border border-line border-l-4 p-3"
    style={{ borderLeftColor: tenant.primaryColor || undefined }}
  >
    {tenant.logoUrl ? (
      <img src={tenant.logoUrl} alt="" className="h-10 max-w-24 object-contain" />
    ) : (
      <Avatar name={tenant.name} className="size-10 text-base" />
    )}
    <p className="leading-snug">
      <span className="block text-[0.8125rem] text-muted">{messages.invitedBy}</span>
      <span className="mr-2 font-semibold">{tenant.name}</span>
      <span className="text-[0.8125rem] whitespace-nowrap text-muted">
        {tenant.seatsLeft > 0 ? messages.seats(tenant.seatsLeft) : messages.full}
      </span>
    </p>
  </div>
)
