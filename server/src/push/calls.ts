import type { z } from 'zod'
import { refusal } from '@clear-to-post/contract/errors'
import { push, type PushDevice } from '@clear-to-post/contract/push'
import { asService } from '../kernel/tenancy.ts'
import { on, onOpen, type Mounted } from '../kernel/call.ts'
import type { Identity } from '../identity/actions.ts'
import { sendTest, subscribe, unsubscribe } from './actions.ts'
import { devicesOf, hasPhone, pushKey, type DeviceRow } from './store.ts'

export const pushCalls = ({ cookie }: Pick<Identity, 'cookie'>): Mounted[] => [
  on(push.read, (_input, { tx, caller }) =>
    asService(tx, async () => ({
      publicKey: (await pushKey(tx)).publicKey,
      devices: (await devicesOf(tx, caller.id)).map(presentDevice),
      hasPhone: await hasPhone(tx, caller.id),
    })),
  ),
  onOpen(push.subscribe, async ({ body: { endpoint, keys, name } }, { database, caller, request }) => {
    if (!caller) throw refusal('session.required')
    return database.inTenant(caller, async (tx) =>
      presentDevice(await subscribe(tx, caller, { endpoint, ...keys, name }, cookie.read(request))),
    )
  }),
  on(push.unsubscribe, async ({ params }, { tx, caller }) => {
    await unsubscribe(tx, caller, params.deviceId)
    return { success: true as const }
  }),
  on(push.test, async ({ params }, { tx, caller, requestId }) => {
    await sendTest(tx, caller, params.deviceId, requestId)
    return { success: true as const }
  }),
]

const presentDevice = (d: DeviceRow): z.input<typeof PushDevice> => ({
  id: d.id,
  name: d.name,
  createdAt: d.created_at.toISOString(),
  reachedAt: d.reached_at?.toISOString(),
})
