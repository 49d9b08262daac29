import { useDeferredValue } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { Refusal } from '@clear-to-post/contract/errors'
import { tenants } from '@clear-to-post/contract/tenants'
import { query } from '../api.ts'
import { Avatar } from './avatar.tsx'
import { messages } from './messages.ts'

/** The company whose invitation code is being typed, as soon as it is one; and what is wrong with a code that is none. */
export const useInvitation = (code: string) => {
  const asked = useDeferredValue(code.trim())
  const isAsked = asked.length >= 4
  const { data, error } = useQuery({
    ...query(tenants.invitation, { params: { code: asked } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const unknown = isAsked && error instanceof Refusal && error.kind === 'not-found' ? error.message : undefined
  return { tenant: isAsked && unknown === undefined ? data : undefined, unknown }
}

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
      <span className="font-semibold">{tenant.name}</span>{' '}
      <span className="text-[0.8125rem] whitespace-nowrap text-muted">
        {tenant.seatsLeft > 0 ? messages.seats(tenant.seatsLeft) : messages.full}
      </span>
    </p>
  </div>
)
