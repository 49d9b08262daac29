import { expect, it } from 'vitest'
import { failureOfCamera, Unshared } from './camera.ts'
import { checkLight, checkSound, lightOf } from './checks.ts'

it('the sound is judged by the level that the checks of the file go by', () => {
  const levels: [number | null, string | null][] = [
    [null, null],
    [-90, 'silent'],
    [-38.1, 'quiet'],
    [-37.9, 'good'],
    [-12, 'good'],
    [-0.5, 'loud'],
  ]
  for (const [db, said] of levels) expect([db, checkSound(db)]).toEqual([db, said])
})

it('the picture is judged by its mean light', () => {
  const grey = (value: number) => Uint8ClampedArray.from({ length: 64 * 64 * 4 }, (_, i) => (i % 4 === 3 ? 255 : value))
  expect(lightOf(grey(100))).toBeCloseTo(100, 5)
  expect(lightOf(new Uint8ClampedArray(0))).toBe(0)
  const lights: [number, string][] = [
    [44, 'dark'],
    [46, 'good'],
    [224, 'good'],
    [226, 'bright'],
  ]
  for (const [light, said] of lights) expect([light, checkLight(lightOf(grey(light)))]).toEqual([light, said])
  expect(checkLight(null)).toBeNull()
})

it('every way in which a camera is refused has its kind', () => {
  const kinds: [string, string][] = [
    ['NotAllowedError', 'denied'],
    ['SecurityError', 'denied'],
    ['NotFoundError', 'missing'],
    ['OverconstrainedError', 'missing'],
    ['NotReadableError', 'busy'],
    ['AbortError', 'busy'],
    ['InvalidStateError', 'unknown'],
  ]
  for (const [name, kind] of kinds) expect([name, failureOfCamera(new DOMException('', name))]).toEqual([name, kind])
  expect(failureOfCamera(new TypeError('no mediaDevices'))).toBe('none')
  expect(failureOfCamera(new Unshared('No screen'))).toBe('unshared')
  expect(failureOfCamera('words')).toBe('unknown')
})
