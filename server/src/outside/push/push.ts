import { browsers } from './browsers.ts'
import type { FcmAccount } from '../../kernel/config-outside.ts'
import { fcm } from './fcm.ts'
import type { Outcome } from './outcome.ts'

/** What a device shows. `id` names it there: a second one of the same id takes the first one's place. */
export type Shown = { id: string; title: string; body: string; url: string }

/** A subscribed browser, as its push service gave it to us. */
export type Browser = { endpoint: string; p256dh: string; auth: string }

/** Our own name towards push services (VAPID), base64url. */
export type PushKey = { publicKey: string; privateKey: string }

export type PushServices = {
  /** How devices are reached, in words for the operator. */
  says: string
  /** Whether an address may be a push service's. */
  mayReach: (endpoint: string) => boolean
  /** Hands a message to a browser's push service, which keeps it for `ttl` seconds. Never throws. */
  toBrowser: (browser: Browser, shown: Shown, options: { ttl: number; key: PushKey }) => Promise<Outcome>
  /** The same to a phone by its FCM token; undefined where FCM is not configured. */
  toPhone: ((token: string, shown: Shown, options: { ttl: number }) => Promise<Outcome>) | undefined
}

type PushConfig = {
  publicUrl: string
  mailFrom: string
  pushTestOrigin: string | undefined
  fcm: FcmAccount | undefined
}

let opened: PushServices | undefined

/** Opens the ways that the configuration names for this process: jobs find them by `pushServices()`. */
export const openPush = (config: PushConfig): void => {
  const phones = config.fcm && fcm(config.fcm, config.publicUrl)
  opened = {
    says: phones
      ? 'push goes to browsers, and by FCM to phones'
      : 'push goes to browsers; phones hear nothing until FCM_SERVICE_ACCOUNT is set',
    ...browsers(config),
    toPhone: phones,
  }
}

export const pushServices = (): PushServices => {
  if (!opened) throw new Error('openPush() was not called')
  return opened
}
