import { refusal } from '@clear-to-post/contract/errors'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { signInOf } from '../identity/actions.ts'
import { enqueue } from '../kernel/queue.ts'
import { pushServices } from '../outside/push/push.ts'
import {
  addPush,
  deviceOf,
  devicesOf,
  dropDevice,
  hasPhone,
  pushKey,
  saveDevice,
  type DeviceRow,
  type NewDevice,
  type NewPush,
} from './store.ts'

/** Tests of one's own device wait below what people are told, one of each person at a time. */
export const testPriority = -1

/** How long a message is worth showing, unless said otherwise. */
const usefulMs = 86_400_000

/**
 * Shows something on every device of these people, in the very transaction that makes it necessary; a job sends it. `key`
 * says what made it necessary: no device is told twice under one key. `url`: a path of ours that a click opens. After
 * `uselessAt` (a day from now unless said) it is not sent any more. Answers how many devices it goes to. Two statements,
 * however many people.
 */
export const sendPush = (
  tx: Tx,
  message: { key: string; userIds: readonly string[]; title: string; body: string; url: string; uselessAt?: Date },
): Promise<number> => send(tx, { ...message, deviceId: null })

/** Shows something on this one device of the caller's, so that they see that it works. Throws `push.not-found`. */
export const sendTest = async (tx: Tx, caller: Caller, deviceId: string, requestId: string): Promise<void> => {
  if (!(await deviceOf(tx, caller.id, deviceId))) throw refusal('push.not-found')
  await send(tx, {
    key: `test:${requestId}`,
    userIds: [caller.id],
    title: 'It works',
    body: 'This device shows your notifications.',
    url: '/panel/profile',
    uselessAt: new Date(Date.now() + 600_000),
    deviceId,
    testedBy: caller.id,
  })
}

/** Where the caller is reached, and the key that browsers subscribe under. */
export const readDevices = (tx: Tx, { id }: Caller) =>
  asService(tx, async () => ({
    publicKey: (await pushKey(tx)).publicKey,
    devices: await devicesOf(tx, id),
    hasPhone: await hasPhone(tx, id),
  }))

/**
 * Subscribes a browser for the caller, in the sign-in of this refresh token; a browser that was somebody else's is theirs
 * no more. Throws `push.bad-address`, `push.no-session`.
 */
export const subscribe = async (
  database: Database,
  caller: Caller,
  device: Omit<NewDevice, 'personId' | 'familyId'>,
  refreshToken: string | null,
): Promise<DeviceRow> => {
  if (!pushServices().mayReach(device.endpoint)) throw refusal('push.bad-address')
  return database.inTenant(caller, (tx) =>
    asService(tx, async () => {
      const familyId = await signInOf(tx, caller.id, refreshToken)
      if (familyId === null) throw refusal('push.no-session')
      return saveDevice(tx, { ...device, personId: caller.id, familyId })
    }),
  )
}

/** Throws `push.not-found`. */
export const unsubscribe = async (tx: Tx, caller: Caller, deviceId: string): Promise<void> => {
  if ((await dropDevice(tx, caller.id, deviceId)) === 0) throw refusal('push.not-found')
}

const send = (
  tx: Tx,
  {
    uselessAt = new Date(Date.now() + usefulMs),
    testedBy,
    ...message
  }: Omit<NewPush, 'hasPhones' | 'uselessAt'> & {
    uselessAt?: Date
    testedBy?: string
  },
): Promise<number> =>
  asService(tx, async () => {
    const added = await addPush(tx, { ...message, uselessAt, hasPhones: pushServices().toPhone !== undefined })
    const turn = testedBy === undefined ? {} : { owner: testedBy, priority: testPriority }
    if (added) await enqueue(tx, 'push', { pushId: added.id }, turn)
    return added?.count ?? 0
  })
