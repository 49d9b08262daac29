import { push } from '@clear-to-post/contract/push'
import { send } from '../../api.ts'
import { personHere } from '../../session.ts'
import { onDevice } from '../../storage.ts'

/**
 * How notifications stand on this device. `install-first`: an iPhone shows them only for what is on its home screen.
 * `blocked`: the person, or the browser, said no; only the browser's settings change that.
 */
export type PushState = 'unsupported' | 'install-first' | 'blocked' | 'off' | 'on'

export const pushState = (): PushState => {
  if (!isSupported()) return isIos() && !isInstalled() ? 'install-first' : 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return noted() !== null && Notification.permission === 'granted' ? 'on' : 'off'
}

/** This device's id with the service; null while it is off. */
export const deviceId = (): string | null => noted()?.deviceId ?? null

/** Asks for permission, which a browser allows right after a press only, and subscribes. Answers how it stands then. */
export const switchOn = async (personId: string): Promise<PushState> => {
  if ((await Notification.requestPermission()) === 'granted') await subscribe(personId)
  return pushState()
}

export const switchOff = async (): Promise<void> => {
  const [id, as] = [deviceId(), personHere()]
  onDevice.drop(noteKey)
  await (await subscription())?.unsubscribe()
  // What the service has forgotten already is off.
  if (id !== null) await send(push.unsubscribe, { params: { deviceId: id } }, { as }).catch(() => {})
}

/**
 * Once as the panel opens: a device that another person switched on is silent, and one whose subscription the browser
 * renewed, or the service forgot when its person signed out, is subscribed again for the same person.
 */
export const renewPushSubscription = async (personId: string): Promise<void> => {
  const note = noted()
  if (note === null || !isSupported()) return
  if (note.personId !== personId) {
    onDevice.drop(noteKey)
    await (await subscription())?.unsubscribe()
    return
  }
  if (Notification.permission !== 'granted') return
  const known = await send(push.read, {}, { as: personId })
  const current = await subscription()
  const isInStep = current?.endpoint === note.endpoint && known.devices.some(({ id }) => id === note.deviceId)
  if (!isInStep) await subscribe(personId)
}

/** From now on goes where a notification that was pressed leads. */
export const followPresses = (go: (path: string) => void): void => {
  goTo = go
  if (isListening || !('serviceWorker' in navigator)) return
  isListening = true
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data, ports }: MessageEvent<{ kind?: string; path?: string }>) => {
      if (data.kind !== 'open' || !data.path?.startsWith('/panel')) return
      ports[0]?.postMessage('heard')
      goTo(data.path)
    },
  )
  navigator.serviceWorker.startMessages()
}
let goTo: (path: string) => void
let isListening = false

type Note = { personId: string; deviceId: string; endpoint: string }
const noteKey = 'push-device'

const noted = (): Note | null => JSON.parse(onDevice.read(noteKey) ?? 'null') as Note | null

const subscribe = async (personId: string): Promise<void> => {
  const { publicKey } = await send(push.read, {}, { as: personId })
  await navigator.serviceWorker.register('/worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const key = bytesOf(publicKey)
  const old = await pushManager.getSubscription()
  // One that was made with another key (of another database, say) takes nothing of ours.
  if (old && !isEqual(old.options.applicationServerKey, key)) await old.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = made.toJSON()
  const device = await send(
    push.subscribe,
    { body: { endpoint: endpoint!, keys: { p256dh: keys!['p256dh']!, auth: keys!['auth']! }, name: deviceName() } },
    { as: personId },
  )
  onDevice.keep(noteKey, JSON.stringify({ personId, deviceId: device.id, endpoint: endpoint! } satisfies Note))
}

const subscription = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

// An iPad calls itself a Mac, and has fingers on it.
const isIos = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

/** As its person would call it, such as “Chrome on Android”. */
const deviceName = (): string => {
  const first = (names: Record<string, RegExp>) =>
    Object.entries(names).find(([, pattern]) => pattern.test(navigator.userAgent))?.[0]
  const browser = first({ Edge: /Edg/, Opera: /OPR/, Firefox: /Firefox/, Chrome: /Chrome|CriOS/, Safari: /Safari/ })
  const system = isIos()
    ? 'iPhone or iPad'
    : first({ Android: /Android/, Windows: /Windows/, Mac: /Mac/, ChromeOS: /CrOS/, Linux: /Linux/ })
  return `${browser ?? 'Browser'}${system ? ` on ${system}` : ''}`
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const isEqual = (a: ArrayBuffer | null, b: Uint8Array): boolean =>
  a !== null && a.byteLength === b.length && new Uint8Array(a).every((byte, index) => byte === b[index])
