import { expect, it } from 'vitest'
import { clock, frameFrom, preciseClock, rateOf, spoken, tickSteps } from './player-time.ts'

it('a step goes to the middle of the next frame and stays inside the video', () => {
  expect(frameFrom(0, 1, 30, 10)).toBeCloseTo(1.5 / 30)
  // From the middle of a frame, and from its edge as a browser rounds it.
  expect(frameFrom(1.5 / 30, 1, 30, 10)).toBeCloseTo(2.5 / 30)
  expect(frameFrom(0.0999999, 1, 30, 10)).toBeCloseTo(4.5 / 30)
  expect(frameFrom(0, -1, 30, 10)).toBeCloseTo(0.5 / 30)
  expect(frameFrom(10, 1, 30, 10)).toBeCloseTo(299.5 / 30)
  expect(frameFrom(0, 3, 30, 0)).toBeCloseTo(3.5 / 30)
})

it('steps reach every frame once, forwards and backwards, at every rate', () => {
  for (const rate of [24000 / 1001, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60]) {
    const end = 4
    const frames = Math.ceil(end * rate)
    let at = frameFrom(0, 0, rate, end)
    for (let frame = 1; frame < frames; frame++) {
      at = frameFrom(at, 1, rate, end)
      expect(Math.floor(at * rate)).toBe(frame)
    }
    for (let frame = frames - 2; frame >= 0; frame--) {
      at = frameFrom(at, -1, rate, end)
      expect(Math.floor(at * rate)).toBe(frame)
    }
  }
})

it('the frame rate follows from the distance of two frames, and a jump gives none', () => {
  expect(rateOf(0.0333666)).toBeCloseTo(30, 0)
  expect(rateOf(0.04)).toBe(25)
  expect(rateOf(1 / 60)).toBeCloseTo(60, 0)
  expect(rateOf(0.0417083)).toBeCloseTo(24, 0)
  expect(rateOf(1.2)).toBeNull()
  expect(rateOf(0)).toBeNull()
})

it('player times are written as clocks and as spoken words', () => {
  expect([clock(7), clock(124.9), clock(3723)]).toEqual(['0:07', '2:04', '1:02:03'])
  expect([preciseClock(7.429), preciseClock(59.999)]).toEqual(['0:07.42', '0:59.99'])
  expect([spoken(67), spoken(60), spoken(1)]).toEqual(['1 minute 7 seconds', '1 minute 0 seconds', '1 second'])
})

it('the ruler’s labels keep a distance, and its ticks divide it evenly', () => {
  for (const duration of [3, 6, 18, 58, 124, 600, 5400])
    for (const width of [280, 416, 840, 1900]) {
      const { fine, labelled } = tickSteps(duration, width)
      expect((labelled / duration) * width).toBeGreaterThanOrEqual(64)
      expect((labelled / fine) % 1).toBeCloseTo(0)
    }
})
