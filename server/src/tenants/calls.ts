import { tenants } from '@clear-to-post/contract/tenants'
import { onOpen, type Mounted } from '../http/mount.ts'
import { invitingTenant, seatsLeft } from './actions.ts'
import { presentInvitation } from './present.ts'

export const tenantsCalls: Mounted[] = [
  // As the service, whoever asks: somebody of one tenant may hold another one's code.
  onOpen(tenants.invitation, ({ params }, { database }) =>
    database.asSystem(async (tx) => {
      const tenant = await invitingTenant(tx, params.code)
      return presentInvitation(tenant, await seatsLeft(tx, tenant))
    }),
  ),
]
