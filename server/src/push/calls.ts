import type { z } from 'zod'
import { refusal } from '@clear-to-post/contract/errors'
import { push, type PushDevice } from '@clear-to-post/contract/push'
import { on, onOpen, type Mounted } from '../kernel/call.ts'
import type { Identity } from '../identity/actions.ts'
import { readDevices, sendTest, subscribe, unsubscribe } from './actions.ts'
import type { DeviceRow } from './store.ts'

export const pushCalls = ({ cookie }: Pick<Identity, 'cookie'>): Mounted[] => [
  on(push.read, async (_input, { tx, caller }) => {
    const { devices, ...rest } = await readDevices(tx, caller)
    return { ...rest, devices: devices.map(presentDevice) }
  }),
  onOpen(push.subscribe, async ({ body: { endpoint, keys, name } }, { database, caller, request }) => {
    if (!caller) throw refusal('session.required')
    return presentDevice(await subscribe(database, caller, { endpoint, ...keys, name }, cookie.read(request)))
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
