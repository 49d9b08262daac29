import { expect, it } from 'vitest'
import { leftOutMeter } from './left-out-meter.ts'

/** As ffprobe writes them. */
const line = (stream: number, at: number | 'N/A', lasts: number, place: number, flags = 'K_') =>
  `${stream},${typeof at === 'number' ? at.toFixed(6) : at},${lasts.toFixed(6)},${place},${flags}\n`

const measured = (shown: string, all: string, streams = [0, 1]) => {
  const meter = leftOutMeter(streams)
  // In pieces that end anywhere.
  for (const [packets, text] of [
    ['shown', shown],
    ['all', all],
  ] as const)
    for (let at = 0; at < text.length; at += 1000) meter.take(packets, Buffer.from(text.slice(at, at + 1000)))
  return meter.done()
}

it('each packet that is left out counts until the next of its track in time, whatever their order in the file', () => {
  // Tenths of a second, every four of them stored out of turn.
  const stored = Array.from({ length: 400 }, (_, i) => 4 * Math.floor(i / 4) + [0, 3, 1, 2][i % 4]!)
  const all = stored.map((tenth, i) => line(0, tenth / 10, 0.02, 1000 + i))
  const shown = stored.flatMap((tenth, i) => (tenth >= 100 && tenth < 130 ? [] : [line(0, tenth / 10, 0.02, 1000 + i)]))
  expect(measured(shown.join(''), all.join(''))).toBe(3000)
})

it('the last packet of a track counts as long as it lasts, and of two tracks the one that lacks more counts', () => {
  const [first, second, third] = [line(0, 0, 1, 10), line(0, 1, 2.5, 20), line(1, 0, 9, 30)]
  expect(measured(first, first + second)).toBe(2500)
  expect(measured(first, first + second + third)).toBe(9000)
  expect(measured(first, first + second + third, [0])).toBe(2500)
})

it('packets that are decoded and not shown, stand before zero or have no time are counted', () => {
  const hidden = line(0, -2, 2, 10, 'KD') + line(0, -1, 1, 20, '_D') + line(0, 0, 1, 30)
  expect(measured(hidden, hidden.replaceAll('D', '_'))).toBe(2000)
  expect(measured('', line(0, 'N/A', 1, 10))).toBe(1000)
  expect(measured(line(0, 0, 1, 10), line(0, 0, 1, 10) + line(0, 1e12, 1, 20))).toBe(Infinity)
})

it('packets that are left out count for as long as those that are shown, however short the file says that they are', () => {
  const hidden = Array.from({ length: 300 }, (_, i) => line(0, i / 90_000, 1 / 90_000, 1000 + i)).join('')
  const shown = Array.from({ length: 180 }, (_, i) => line(0, 1 + i / 30, 1 / 30, 2000 + i)).join('')
  expect(measured(shown, hidden + shown)).toBeGreaterThan(9900)
})
