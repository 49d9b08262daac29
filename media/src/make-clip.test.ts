import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { pointAt, scratch, tracks } from '../test/footage.ts'
import { murmur } from './clip-voice.ts'
import { listener } from './peaks.ts'
import { makeClip } from './make-clip.ts'
import { playableAsIs, probe } from './probe.ts'
import { verdicts } from './verdict.ts'

const { path, bin } = scratch()
afterAll(bin)

describe('a sample clip', () => {
  it('is what its maker asked for, and any browser plays it', async () => {
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

  it('differs by hue and seed, and its finished cut from its take', async () => {
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

  it('sounds like somebody speaking: nobody who listens complains', () => {
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
})
