import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { pointAt, scratch, tracks } from '../test/footage.ts'
import { speech } from './clip-speech.ts'
import { murmur } from './clip-voice.ts'
import { listener } from './peaks.ts'
import { makeClip } from './make-clip.ts'
import { playableAsIs, probe } from './probe.ts'
import { verdicts } from './verdict.ts'

const { path, bin } = scratch()
afterAll(bin)

describe('a sample clip', () => {
  it('has the requested length, size, frames and sound, and plays in any browser', async () => {
    const title = `It's 100%: "rates", [a] \\ b; c — é`
    await makeClip({ out: path('a.mp4'), seconds: 3, width: 360, height: 640, title, hue: 220 })
    const found = await probe(path('a.mp4'))
    expect(found).toMatchObject({ ok: true, kind: 'video', durationMs: 3000, audio: { codec: 'aac', channels: 2 } })
    expect(found.ok && playableAsIs(found)).toBe(true)
    expect(tracks(path('a.mp4')).video).toMatchObject({
      width: 360,
      height: 640,
      nb_frames: '90',
      color_space: 'bt709',
    })
  })

  it('differs by hue, and its finished form differs from the take', { tags: 'long' }, async () => {
    const size = { seconds: 3, width: 360, height: 640 }
    await makeClip({ ...size, out: path('b.mp4'), hue: 20, seed: 4, voice: false })
    expect(tracks(path('b.mp4')).audio).toBeUndefined()
    await makeClip({
      ...size,
      out: path('c.mp4'),
      hue: 20,
      seed: 4,
      finished: { captions: ['One', 'Two'], name: 'Call me' },
    })
    expect(pointAt(path('b.mp4'), 0.5, 4, 20)).not.toEqual(pointAt(path('a.mp4'), 0.5, 4, 20))
    // The closing card is paper.
    for (const value of pointAt(path('c.mp4'), 2.8, 20, 250)) expect(value).toBeGreaterThan(235)
    for (const file of ['b.mp4', 'c.mp4']) expect(readFileSync(path(file)).length).toBeLessThan(2_000_000)
  })

  it('has a synthetic voice that gets no verdict from the sound check', () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const voice = murmur(8, seed)
      const ear = listener()
      // From 24 kHz to the 8 kHz that the listener wants.
      const samples = Buffer.alloc(Math.floor(voice.samples.length / 6) * 2)
      for (let i = 0; i < samples.length; i += 2) voice.samples.copy(samples, i, i * 3, i * 3 + 2)
      ear.take(samples)
      expect(verdicts(null, ear.done().loudness, null), `seed ${seed}`).toEqual([])
      expect(voice.syllables.length).toBeGreaterThan(10)
      expect(murmur(8, seed).samples.equals(voice.samples)).toBe(true)
    }
  })

  it('speaks the given words where a speech program is installed, and moves its mouth with them', async () => {
    const says = { speaker: 'slt', parts: [0.4, 'Call me today.', 1.2, 'Rates moved.', 0.5] } as const
    await makeClip({ out: path('d.mp4'), seconds: 2, width: 180, height: 320, hue: 20, says })
    const found = await probe(path('d.mp4'))
    if (!found.ok) throw new Error(found.reason)
    const spoken = await speech(says.parts, { ...says, folder: path('') })
    if (!spoken) return expect(found.durationMs).toBe(2000)
    expect(found.durationMs / 1000).toBeCloseTo(spoken.seconds, 1)
    const [[from, to], [again]] = spoken.said as [[number, number], [number, number]]
    expect(again - to).toBeCloseTo(1.2, 3)
    // The mouth moves while something is said, and rests in between.
    for (const [open, shut] of spoken.syllables)
      expect((open >= from && shut <= to + 0.05) || open >= again, `${open}`).toBe(true)
    expect(spoken.syllables.length).toBeGreaterThan(4)
    const ear = listener()
    ear.take(Buffer.from(spoken.samples.filter((_, i) => i % 4 < 2)))
    expect(verdicts(null, ear.done().loudness, null)).toEqual([])
  })
})
