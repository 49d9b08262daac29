import { invitations } from '@clear-to-post/contract/invitations'
import type { Identity } from '../identity/actions.ts'
import { on, onOpen, type Mounted } from '../kernel/call.ts'
import { networkOf } from '../kernel/network.ts'
import { page } from '../kernel/page.ts'
import {
  acceptInvitation,
  openByInvitation,
  readInvitationOf,
  sendAgain,
  sendInvitations,
  withdrawInvitation,
} from './actions.ts'
import { presentInvitations } from './present.ts'
import { listColumns, listSelect } from './store.ts'

export const invitationsCalls = ({ passwordPolicy }: Pick<Identity, 'passwordPolicy'>): Mounted[] => [
  on(invitations.send, ({ body }, { tx, caller, now }) => sendInvitations(tx, caller, body, now)),
  on(invitations.list, async ({ query }, { tx, caller, now }) => {
    const { rows, nextCursor } = await page(tx, invitations.list.page, listColumns, query, (parts) =>
      listSelect(caller, parts),
    )
    return { items: await presentInvitations(tx, caller, rows, now), nextCursor }
  }),
  on(invitations.sendAgain, async ({ params }, { tx, caller, now }) => {
    const row = await sendAgain(tx, caller, params.invitationId, now)
    return (await presentInvitations(tx, caller, [row], now))[0]!
  }),
  on(invitations.withdraw, async ({ params }, { tx, caller, now }) => {
    const row = await withdrawInvitation(tx, caller, params.invitationId, now)
    return (await presentInvitations(tx, caller, [row], now))[0]!
  }),
  onOpen(invitations.read, ({ body }, { database }) => readInvitationOf(database, body.token)),
  onOpen(invitations.open, async ({ body }, { database, request, now }) => ({
    token: await openByInvitation(database, passwordPolicy, { ...body, network: networkOf(request.ip) }, now),
  })),
  onOpen(invitations.accept, ({ body }, { database, caller, now }) =>
    acceptInvitation(database, caller!, body.token, now),
  ),
]
