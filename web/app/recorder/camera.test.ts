import { afterEach, expect, it, vi } from 'vitest'
import { failureOfCamera, openCamera, Unshared } from './camera.ts'

afterEach(() => void vi.unstubAllGlobals())

it('camera and microphone are found again by their names, whatever their ids are today', async () => {
  const asked = browserWith([
    ['videoinput', 'id-1', 'Built-in'],
    ['videoinput', 'id-2', 'Desk camera'],
    ['audioinput', 'id-3', 'Headset'],
    ['audioinput', 'id-4', ''],
  ])
  await openCamera({ camera: 'Desk camera', microphone: 'Headset' })
  expect(asked.at(-1)).toMatchObject({
    video: { deviceId: { ideal: 'id-2' }, width: { ideal: 1080 }, height: { ideal: 1920 }, frameRate: { ideal: 30 } },
    audio: { deviceId: { ideal: 'id-3' } },
  })
  // What is chosen now comes before what was chosen once.
  await openCamera({ camera: 'Desk camera', microphone: null }, { camera: 'id-1' })
  expect(asked.at(-1)).toMatchObject({ video: { deviceId: { ideal: 'id-1' } } })
})

it('a camera that is there no more is replaced by the front camera, and no wish excludes what a device has', async () => {
  const asked = browserWith([])
  await openCamera({ camera: 'Desk camera', microphone: 'Headset' })
  expect(asked.at(-1)).toMatchObject({ video: { facingMode: { ideal: 'user' } } })
  expect(JSON.stringify(asked)).not.toMatch(/exact|deviceId/)
  await openCamera({ camera: 'Desk camera', microphone: null }, {}, 'sound')
  expect(asked.at(-1)).toMatchObject({ video: false })
})

it('each refusal of a device that browsers know is told apart, and one that none knows is still one', async () => {
  const refusals = {
    NotAllowedError: 'denied',
    SecurityError: 'denied',
    NotFoundError: 'missing',
    OverconstrainedError: 'missing',
    NotReadableError: 'busy',
    AbortError: 'busy',
    InvalidStateError: 'unknown',
  }
  for (const [name, failure] of Object.entries(refusals))
    expect(failureOfCamera(new DOMException('', name)), name).toBe(failure)
  expect(failureOfCamera(new Unshared('No screen'))).toBe('unshared')
  // No camera at all in this browser, or in a page that is not safe.
  vi.stubGlobal('navigator', { userAgent: '' })
  await expect(openCamera({ camera: null, microphone: null }).catch(failureOfCamera)).resolves.toBe('none')
})

/** A browser on a computer with these devices; answers what it was asked for. */
const browserWith = (found: readonly (readonly [kind: MediaDeviceKind, deviceId: string, label: string])[]) => {
  const asked: MediaStreamConstraints[] = []
  const mediaDevices = {
    enumerateDevices: async () => found.map(([kind, deviceId, label]) => ({ kind, deviceId, label })),
    getUserMedia: async (wanted: MediaStreamConstraints) => {
      asked.push(wanted)
      return { getTracks: () => [] }
    },
  }
  vi.stubGlobal('navigator', { mediaDevices, userAgent: '', hardwareConcurrency: 8 })
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('MediaRecorder', { isTypeSupported: () => true })
  return asked
}
