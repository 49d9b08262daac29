import { refusal } from '@clear-to-post/contract/errors'
import { tenants } from '@clear-to-post/contract/tenants'
import { setUpSteps } from '@clear-to-post/domain/tenants'
import { page } from '../kernel/page.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import { on, onOpen, type Mounted } from '../kernel/call.ts'
import { tenantSubscriptions } from '../subscriptions/actions.ts'
import { createTenant, inviteCodeOf, readInvitation, updateTenant } from './actions.ts'
import { presentInvitation, presentTenant } from './present.ts'
import { findTenant, listColumns, listSelect, setUpFacts, type TenantRow } from './store.ts'

export const tenantsCalls: Mounted[] = [
  on(tenants.create, async ({ body }, { tx, caller, now }) => {
    const id = await createTenant(tx, caller, body, now)
    return { ...(await read(tx, caller, id, now)), inviteCode: await inviteCodeOf(tx, caller, id) }
  }),
  on(tenants.me, async (_input, { tx, caller, now }) => {
    if (caller.tenantId === null) throw refusal('tenant.none', 'You belong to no company.')
    return read(tx, caller, caller.tenantId, now)
  }),
  on(tenants.find, ({ params }, { tx, caller, now }) => read(tx, caller, params.tenantId, now)),
  on(tenants.setUp, async ({ params: { tenantId } }, { tx, caller }) => {
    const facts = await setUpFacts(tx, caller, tenantId)
    if (!facts) throw refusal('tenant.none')
    const hasPlan = (await tenantSubscriptions(tx, caller, [tenantId])).has(tenantId)
    const isDone = { ...facts, plan: hasPlan }
    return { steps: setUpSteps.map((key) => ({ key, isDone: isDone[key] })) }
  }),
  on(tenants.inviteCode, async ({ params }, { tx, caller }) => ({
    inviteCode: await inviteCodeOf(tx, caller, params.tenantId),
  })),
  on(tenants.update, async ({ body: { tenantId, data } }, { tx, caller, now }) => {
    await updateTenant(tx, caller, tenantId, data, now)
    return read(tx, caller, tenantId, now)
  }),
  on(tenants.list, async ({ query }, { tx, caller, now }) => {
    const { rows, nextCursor } = await page(tx, tenants.list.page, listColumns, query, (parts) =>
      listSelect(caller, parts),
    )
    return { items: await present(tx, caller, rows, now), nextCursor }
  }),
  onOpen(tenants.invitation, async ({ params }, { database, now }) => {
    const { tenant, seats } = await readInvitation(database, params.code)
    return presentInvitation(tenant, seats, now)
  }),
]

const read = async (tx: Tx, caller: Caller, id: string, now: Date) => {
  const row = await findTenant(tx, caller, id)
  if (!row) throw refusal('tenant.none')
  return (await present(tx, caller, [row], now))[0]!
}

const present = async (tx: Tx, caller: Caller, rows: readonly TenantRow[], now: Date) => {
  const subscriptions = await tenantSubscriptions(
    tx,
    caller,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => presentTenant(row, subscriptions.get(row.id), caller, now))
}
