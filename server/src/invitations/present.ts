import type { z } from 'zod'
import type { SentInvitation } from '@clear-to-post/contract/invitations'
import { reachesTenant } from '@clear-to-post/domain/roles'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { invitersOf, type InvitationRow } from './store.ts'

/** Rows that the viewer reaches, as they are shown. Who of the service invited to a company stands as the service. */
export const presentInvitations = async (
  tx: Tx,
  viewer: Caller,
  rows: readonly InvitationRow[],
  now: Date,
): Promise<z.input<typeof SentInvitation>[]> => {
  const ids = rows.map(({ id }) => id)
  const inviters = new Map((await asService(tx, () => invitersOf(tx, ids))).map((one) => [one.id, one]))
  return rows.map((row) => {
    const inviter = inviters.get(row.id)!
    const isSettled = row.accepted_at !== null || row.withdrawn_at !== null
    return {
      id: row.id,
      email: row.email,
      role: row.role,
      tenantId: row.tenant_id,
      tenantName: row.tenant_name,
      invitedBy: reachesTenant(viewer, inviter.tenant_id) ? inviter.name : 'Clear to Post',
      sentAt: row.sent_at.toISOString(),
      sentTimes: row.sent_times,
      endsAt: row.ends_at.toISOString(),
      state:
        row.accepted_at !== null
          ? 'accepted'
          : row.withdrawn_at !== null
            ? 'withdrawn'
            : row.ends_at <= now
              ? 'over'
              : inviter.stands
                ? 'open'
                : 'void',
      actions: isSettled ? [] : ['send', 'withdraw'],
    }
  })
}
