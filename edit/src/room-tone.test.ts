import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { setGain, setTone } from './commands/sound.ts'
import { readRecipe } from './read-recipe.ts'
import { wholeRecipe, type Recipe } from './recipe.ts'
import { addTone, cleanedLoop, toneFinder, toneSpans, type ToneLoop } from './room-tone.ts'
import { timelineOf } from './timeline.ts'

const rate = 48_000
/** Noise that is the same each time, of this loudness in dB. */
const noise = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 31 - 1
}
const room = (seconds: number, db: number, seed = 1): Float32Array => {
  const next = noise(seed)
  // Even noise from −1 to 1 has a third of the power.
  const level = 10 ** (db / 20) * Math.sqrt(3)
  return Float32Array.from({ length: seconds * rate }, () => level * next())
}
const decibels = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, one) => sum + one * one, 0) / samples.length + 1e-12)
const found = (sound: Float32Array): ToneLoop | null => {
  const finder = toneFinder(rate)
  for (let at = 0; at < sound.length; at += 10_007)
    finder.take(sound.slice(at, at + 10_007), sound.slice(at, at + 10_007))
  return finder.found()
}
/** Words of 0.7 s with pauses of 0.3 s, and one pause of two seconds. */
const spoken = (floor: number): Float32Array => {
  const [sound, voice] = [room(12, floor), room(12, -18, 7)]
  return sound.map((one, i) => {
    const at = i / rate
    return (at > 5 && at < 7) || at % 1 > 0.7 ? one : one + voice[i]! * Math.sin(2 * Math.PI * 130 * at)
  })
}

test('the room of a recording is as loud as its pauses, and goes round without a step', () => {
  for (const floor of [-65, -50, -40]) {
    const loop = found(spoken(floor))!
    expect(loop.left).toHaveLength(rate)
    expect(Math.abs(decibels(loop.left) - floor)).toBeLessThan(0.5)
    const tenths = Array.from({ length: 10 }, (_, i) =>
      decibels(loop.left.subarray((i * rate) / 10, ((i + 1) * rate) / 10)),
    )
    for (const tenth of tenths) expect(Math.abs(tenth - floor)).toBeLessThan(1)
    // Over its seam it steps no further than noise does anywhere.
    const steps = loop.left.map((one, i) => Math.abs(one - loop.left[(i + 1) % rate]!))
    expect(steps[rate - 1]).toBeLessThanOrEqual(Math.max(...steps.subarray(0, rate - 1)))
  }
})

test('a recording whose pauses were made silent, that never pauses, or that is short, has no room', () => {
  expect(found(spoken(-65).map((one, i) => ((i / rate) % 1 > 0.7 ? 0 : one + 1e-4)))).toBeNull()
  expect(found(room(6, -20))).toBeNull()
  expect(found(room(1, -60))).toBeNull()
  expect(found(new Float32Array(6 * rate))).toBeNull()
})

test('a cleaned voice has a cleaned room, quieter and as steady', () => {
  const loop = found(spoken(-45))!
  const clean = cleanedLoop(loop, rate)
  expect(clean.left).toHaveLength(rate)
  expect(decibels(loop.left) - decibels(clean.left)).toBeGreaterThan(6)
  const tenths = Array.from({ length: 10 }, (_, i) =>
    decibels(clean.left.subarray((i * rate) / 10, ((i + 1) * rate) / 10)),
  )
  expect(Math.max(...tenths) - Math.min(...tenths)).toBeLessThan(3)
})

const cut = { reason: 'by-hand', by: 'person', why: '', on: true } as const
const bare: Recipe = {
  ...wholeRecipe([take(6000), take(6000, { id: 'b', assetId: 'y' })], brand),
  removed: [1000, 3000].map((start, i) => ({ ...cut, id: `r${i}`, source: 'a', start, end: start + 500 })),
  open: { on: true, lengthMs: 2000, title: '', call: '' },
  close: { on: true, lengthMs: 3000, title: '', call: '' },
}
const recipe = setTone(true)(bare)
const all = { has: () => true, isHeard: () => true }

test('the room is switched on and off as one step, and is asked for nowhere without the switch', () => {
  expect(setTone(true)(recipe)).toBe(recipe)
  expect(setTone(false)(recipe)).toEqual(bare)
  expect(readRecipe(recipe).problems).toBeUndefined()
  expect(toneSpans(bare, timelineOf(bare), all)).toEqual([])
  expect(toneSpans(recipe, timelineOf(recipe), { has: () => false, isHeard: () => true })).toEqual([])
})

test('it comes under the opening card, stands beside each cut, goes under the closing one, and rests else', () => {
  const spans = toneSpans(recipe, timelineOf(recipe), all)
  const heard = (seconds: number) =>
    spans.filter(({ from, to }) => seconds >= from && seconds < to).map(({ source, at }) => [source, at(seconds)])
  expect(heard(0.25)).toEqual([['a', 0.5]])
  expect(heard(1.5)).toEqual([['a', 1]])
  expect(heard(2.5)).toEqual([])
  // The first cut lies a second after the card.
  expect(heard(3 - 1e-6)[0]![1]).toBeCloseTo(1, 3)
  expect(heard(3)[0]![1]).toBeCloseTo(1, 3)
  expect(heard(2.995)[0]![1]).toBeCloseTo(Math.sqrt(0.75), 3)
  const end = timelineOf(recipe).frames / 30
  expect(heard(end - 2)).toEqual([['b', 1]])
  expect(heard(end - 0.5)[0]![1]).toBeCloseTo(0.5, 6)
})

test('voice and room together are as loud as the room is, whatever is cut and made quieter', () => {
  const step = fc.tuple(fc.nat(3), fc.integer({ min: -24, max: 0 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      const now = steps.reduce((one, [index, gain]) => setGain([index], gain)(one), recipe)
      const timeline = timelineOf(now)
      const spans = toneSpans(now, timeline, all)
      for (const piece of timeline.pieces) {
        const gain = 10 ** ((now.keep.find(({ id }) => id === piece.keep)?.gain ?? 0) / 20)
        const seconds = (piece.at + (piece.to - piece.from) / 2) / 30
        const [tone, ...more] = spans.filter(({ from, to }) => seconds >= from && seconds < to)
        expect(more).toEqual([])
        expect(gain ** 2 + (tone?.at(seconds) ?? 0) ** 2).toBeCloseTo(1, 6)
      }
      for (const { from, to, at } of spans)
        for (const part of [0, 0.3, 0.7, 1]) {
          const share = at(from + part * (to - from))
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
        }
    }),
  )
})

test('a recording without a sound has the room of its neighbour, and what is added goes on from piece to piece', () => {
  const loop = found(spoken(-50))!
  const spans = toneSpans(recipe, timelineOf(recipe), { has: (id) => id === 'a', isHeard: (id) => id === 'a' })
  const { frames, fps } = timelineOf(recipe)
  const length = Math.round((frames * rate * fps.den) / fps.num)
  const whole = [new Float32Array(length), new Float32Array(length)] as const
  addTone(spans, new Map([['a', loop]]), rate, 0, ...whole)
  const parts = new Float32Array(length)
  for (let first = 0; first < length; first += 30_011) {
    const part = parts.subarray(first, first + 30_011)
    addTone(spans, new Map([['a', loop]]), rate, first, part, new Float32Array(part.length))
  }
  expect(parts).toEqual(whole[0])
  const second = (from: number) => decibels(whole[0].subarray(from * rate, (from + 1) * rate))
  // The second recording follows five seconds of the first one and the card of two.
  expect(Math.abs(second(8) - decibels(loop.left))).toBeLessThan(0.1)
  expect(second(4)).toBeLessThan(-60)
})
