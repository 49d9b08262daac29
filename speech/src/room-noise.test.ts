import { describe, expect, it } from 'vitest'
import { gated, kennedy, percentile } from '../test/samples.ts'
import { withRoomNoise } from './room-noise.ts'
import { sphinx } from './sphinx.ts'
import { transcribeSamples } from './transcribe.ts'

const level = (samples: Int16Array) => Math.sqrt(samples.reduce((sum, one) => sum + one ** 2, 0) / samples.length)
const voice = kennedy.samples

describe('sound before anything listens to it', () => {
  it('has noise fifty decibels below the voice where it was digitally silent, and is otherwise the same', async () => {
    const pause = new Int16Array(16_000)
    const take = Int16Array.from([...voice, ...pause, ...voice])
    const heard = await withRoomNoise(take)
    expect(heard.length).toBe(take.length)
    const still = heard.subarray(voice.length + 160, voice.length + pause.length - 160)
    const below = 20 * Math.log10(level(voice) / level(still))
    expect(below).toBeGreaterThan(40)
    expect(below).toBeLessThan(52)
    // Every 10 ms that hold a sound, to the sample.
    for (let at = 0; at + 160 <= voice.length; at += 160)
      if (level(take.subarray(at, at + 160)) >= 2)
        expect(heard.subarray(at, at + 160)).toEqual(take.subarray(at, at + 160))
    expect(await withRoomNoise(take)).toEqual(heard)
  })

  it('is raised when the voice is very quiet, and left alone when nothing is heard', async () => {
    const quiet = voice.map((sample) => sample / 100)
    const raised = 20 * Math.log10(level(await withRoomNoise(quiet)) / level(quiet))
    expect(raised).toBeGreaterThan(10)
    expect(await withRoomNoise(new Int16Array(16_000))).toEqual(new Int16Array(16_000))
    expect(await withRoomNoise(new Int16Array(7))).toEqual(new Int16Array(7))
    expect(Math.max(...(await withRoomNoise(new Int16Array(1600).fill(32_767))))).toBe(32_767)
  })
})

describe.skipIf(!(await sphinx()))('a human voice between digital silence', () => {
  it('has its words found where they are', async () => {
    const { script, words } = kennedy
    const found = await transcribeSamples(gated(voice, 10), { script, source: 's1' })
    const off = words.flatMap(({ text, start }) => {
      const near = found.words.filter((word) => word.text === text && !word.mark)
      return near.length > 0 ? Math.min(...near.map((word) => Math.abs(word.start - start * 1000))) : []
    })
    expect(off.length).toBeGreaterThanOrEqual(20)
    expect(percentile(off, 0.5)).toBeLessThanOrEqual(20)
    expect(percentile(off, 0.95)).toBeLessThanOrEqual(75)
    expect(found.silences.filter(({ start, end }) => end - start > 500).length).toBe(3)
  })
})
