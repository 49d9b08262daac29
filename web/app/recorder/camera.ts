import { chooseFormat, isWebKit, type Format } from './format.ts'

/** Why a camera cannot be had; each has words and a way on. `none`: the browser knows no cameras, or the page is not safe. */
export type CameraFailure = 'denied' | 'missing' | 'busy' | 'none' | 'unknown'

export const failureOfCamera = (error: unknown): CameraFailure => {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy'
  return name === 'TypeError' ? 'none' : 'unknown'
}

/** Devices are remembered by name: their ids change from visit to visit. */
export type Wished = { camera: string | null; microphone: string | null }
export type Device = { id: string; name: string }
export type Devices = { cameras: Device[]; microphones: Device[] }

/**
 * Camera and microphone together: those that were chosen before, else the front camera; upright, in full HD at 30 pictures a
 * second where the device has that, else whatever it gives. Throws what the browser throws.
 */
export const openCamera = async (
  wished: Wished,
  ids: { camera?: string; microphone?: string } = {},
): Promise<MediaStream> => {
  if (!navigator.mediaDevices?.getUserMedia || recordingFormat() === null)
    throw new TypeError('This browser cannot record')
  // Names are told to pages that were let in before; the others choose once they are.
  const known = await devices()
  const camera = ids.camera ?? known.cameras.find(({ name }) => name === wished.camera)?.id
  const microphone = ids.microphone ?? known.microphones.find(({ name }) => name === wished.microphone)?.id
  const isUpright = matchMedia('(orientation: portrait)').matches || !matchMedia('(pointer: coarse)').matches
  const [width, height] = isUpright ? [1080, 1920] : [1920, 1080]
  return navigator.mediaDevices.getUserMedia({
    video: {
      ...(camera ? { deviceId: { ideal: camera } } : { facingMode: { ideal: 'user' } }),
      width: { ideal: width },
      height: { ideal: height },
      frameRate: { ideal: 30, max: 60 },
    },
    audio: {
      ...(microphone ? { deviceId: { ideal: microphone } } : {}),
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: true,
    },
  })
}

/** The cameras and microphones that have a name: those of a page that was let in. */
export const devices = async (): Promise<Devices> => {
  const all = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? []
  const named = (kind: MediaDeviceKind): Device[] =>
    all
      .filter((one) => one.kind === kind && one.label !== '')
      .map(({ deviceId, label }) => ({ id: deviceId, name: label }))
  return { cameras: named('videoinput'), microphones: named('audioinput') }
}

/** What this browser records takes as; null where it records none. */
export const recordingFormat = (): Format | null =>
  typeof MediaRecorder === 'undefined'
    ? null
    : chooseFormat((type) => MediaRecorder.isTypeSupported(type), { isWebKit: isWebKit(navigator.userAgent) })

export const closeCamera = (stream: MediaStream | null): void => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
