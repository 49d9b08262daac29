import { chooseFormat, isWebKit, type Format, type Subject } from './format.ts'
import { joinScreenAndCamera } from './screen-camera.ts'

/** Why a camera cannot be had; each has words and a way on. `none`: the browser knows no cameras, or the page is not safe. */
export type CameraFailure = 'denied' | 'missing' | 'busy' | 'none' | 'unshared' | 'unknown'

export const failureOfCamera = (error: unknown): CameraFailure => {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (error instanceof Unshared) return 'unshared'
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy'
  return name === 'TypeError' ? 'none' : 'unknown'
}

/** Devices are remembered by name: their ids change from visit to visit. */
export type Wished = { camera: string | null; microphone: string | null }
export type Device = { id: string; name: string }
export type Devices = { cameras: Device[]; microphones: Device[] }

/** Nobody chose a screen, or the system gave none. */
export class Unshared extends Error {}

/** `screen`: what is shared beside the camera, which its person may end at any time. `close` ends all of it. */
export type Opened = { stream: MediaStream; screen?: MediaStreamTrack; close: () => void }

/**
 * What is recorded: camera and microphone together, with a screen where that is the subject, or the microphone alone. Those
 * that were chosen before, else the front camera; upright, in full HD at 30 pictures a second where the device has that, else
 * whatever it gives. A screen is asked for right after a press only. Throws what the browser throws, and Unshared.
 */
export const openCamera = async (
  wished: Wished,
  ids: { camera?: string; microphone?: string } = {},
  subject: Subject = 'camera',
): Promise<Opened> => {
  if (!navigator.mediaDevices?.getUserMedia || recordingFormat(subject) === null)
    throw new TypeError('This browser cannot record')
  // Asked first: it needs the press, which is forgotten meanwhile.
  const screen = subject === 'screen' ? await openScreen() : undefined
  try {
    const stream = await openDevices(wished, ids, subject)
    if (!screen) return { stream, close: () => closeTracks(stream.getTracks()) }
    const camera = stream.getVideoTracks()[0]!
    const joined = joinScreenAndCamera(screen, camera)
    return {
      stream: new MediaStream([joined.track, ...stream.getAudioTracks()]),
      screen,
      close: () => {
        joined.close()
        closeTracks([screen, joined.track, ...stream.getTracks()])
      },
    }
  } catch (error) {
    screen?.stop()
    throw error
  }
}

const openScreen = async (): Promise<MediaStreamTrack> => {
  try {
    const shared = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: { ideal: 30 } }, audio: false })
    return shared.getVideoTracks()[0]!
  } catch (error) {
    throw new Unshared('No screen was shared', { cause: error })
  }
}

const openDevices = async (
  wished: Wished,
  ids: { camera?: string; microphone?: string },
  subject: Subject,
): Promise<MediaStream> => {
  // Names are told to pages that were let in before; the others choose once they are.
  const known = await devices()
  const camera = ids.camera ?? known.cameras.find(({ name }) => name === wished.camera)?.id
  const microphone = ids.microphone ?? known.microphones.find(({ name }) => name === wished.microphone)?.id
  const isUpright = matchMedia('(orientation: portrait)').matches || !matchMedia('(pointer: coarse)').matches
  const [width, height] = isUpright ? [1080, 1920] : [1920, 1080]
  const picture = {
    ...(camera ? { deviceId: { ideal: camera } } : { facingMode: { ideal: 'user' } }),
    // In the corner of a screen a small one is enough. Each of its pictures is drawn with the screen, and few cores draw
    // and encode no thirty a second: what they do not get through is lost at the end of the take.
    ...(subject === 'screen'
      ? { width: { ideal: 640 }, height: { ideal: 480 } }
      : { width: { ideal: width }, height: { ideal: height } }),
    frameRate:
      subject === 'screen' && navigator.hardwareConcurrency <= 4 ? { ideal: 15, max: 15 } : { ideal: 30, max: 60 },
  }
  return navigator.mediaDevices.getUserMedia({
    video: subject === 'sound' ? false : picture,
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
export const recordingFormat = (subject: Subject): Format | null =>
  typeof MediaRecorder === 'undefined'
    ? null
    : chooseFormat((type) => MediaRecorder.isTypeSupported(type), { isWebKit: isWebKit(navigator.userAgent), subject })

const closeTracks = (tracks: readonly MediaStreamTrack[]): void => {
  for (const track of tracks) track.stop()
}
