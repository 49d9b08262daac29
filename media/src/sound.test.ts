// @module-tag long
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { limiter } from '@clear-to-post/edit/limiter'
import { setFade, setGain, setTone } from '@clear-to-post/edit/commands/sound'
import { levelsOf, musicLoudness, voiceLoudness, type Loud } from '@clear-to-post/edit/loudness'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { effectRate, effectSamples } from '@clear-to-post/edit/sound-effects'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { kennedy } from '../../speech/test/samples.ts'
import { ffmpeg, quick, scratch } from '../test/footage.ts'
import { keeping } from '../test/recipes.ts'
import { cleanedBy } from './cleaned-by.ts'
import { ingest } from './ingest.ts'
import { peaksFile, type Peaks } from './peaks.ts'
import { probe } from './probe.ts'
import { makeAhead, plan } from './render.ts'
import { roomOf } from './room-tone.ts'
import { byReader } from './sound.ts'

const { path, bin } = scratch()
afterAll(bin)

/** The sound of a recipe as it is rendered: mono, 16,000 samples a second. */
async function soundOf(recipe: Recipe, files: Record<string, string>, name: string): Promise<Float32Array> {
  const materials = new Map(
    await Promise.all(
      Object.entries(files).map(async ([asset, file]) => {
        const found = await probe(file)
        if (!found.ok) throw new Error(found.code)
        const tone = recipe.sound.tone ? await roomOf(file, found) : null
        return [asset, { hash: asset, probe: found, ...(tone && { tone }) }] as const
      }),
    ),
  )
  const cacheDir = path(name)
  mkdirSync(cacheDir)
  const job = { files: new Map(Object.entries(files)), cacheDir, paint: () => new Uint8Array() }
  const made = plan<never>(recipe, { materials, painted: { tracks: [], cards: [] } })
  expect(await makeAhead(made, 'sound', job)).toEqual({ ok: true })
  const file = readdirSync(cacheDir).find((one) => one.endsWith('.m4a'))!
  const args = ['-v', 'error', '-i', join(cacheDir, file), '-ac', '1', '-ar', '16000', '-f', 'f32le', '-']
  const { stdout } = spawnSync(process.env['FFMPEG_PATH'] || 'ffmpeg', args, { maxBuffer: 2 ** 28 })
  return new Float32Array(
    stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length - (stdout.length % 4)),
  )
}
/** Power of each fiftieth of a second, dB. */
const levels = (samples: Float32Array) =>
  Array.from({ length: Math.floor(samples.length / 320) }, (_, at) => {
    const power = samples.subarray(320 * at, 320 * at + 320).reduce((all, one) => all + one * one, 0) / 320
    return 10 * Math.log10(power + 1e-12)
  })
const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))]!
/** The mean power between two moments, dB. */
const between = (samples: Float32Array, from: number, to: number) => {
  const part = samples.subarray(from * 16_000, to * 16_000)
  return 10 * Math.log10(part.reduce((all, one) => all + one * one, 0) / part.length + 1e-12)
}

it('a cleaned voice is rendered with less noise, as loud as asked for, and at the same moments', async () => {
  ffmpeg(
    `-i @ -f lavfi -i anoisesrc=color=pink:amplitude=0.01:seed=7:duration=11 -f lavfi -i color=c=black:s=90x160:r=30:d=11 -filter_complex [0]aresample=48000[v];[v][1]amix=inputs=2:normalize=0[a] -map 2:v -map [a] -c:v libx264 -preset ultrafast -c:a aac -shortest @`,
    kennedy.file,
    path('noisy.mp4'),
  )
  const recipe = keeping('A', 11_000, [[0, 11_000]])
  const before = await soundOf(recipe, { A: path('noisy.mp4') }, 'plain')
  const after = await soundOf({ ...recipe, sound: { ...recipe.sound, clean: true } }, { A: path('noisy.mp4') }, 'clean')
  const [was, is] = [levels(before), levels(after)]
  expect(at(was, 0.05) - at(is, 0.05)).toBeGreaterThan(7)
  // The one is evener than the other; together both are as loud as the recipe says.
  expect(Math.abs(between(before, 0, 11) - between(after, 0, 11))).toBeLessThan(2)
  const shift = bestShift(was, is)
  expect(shift).toBe(0)
})

it('a passage is as much louder as its gain says, its neighbours are as they were, and music fades in and ends', async () => {
  ffmpeg(
    '-f lavfi -i sine=frequency=300:duration=6 -f lavfi -i color=c=black:s=90x160:r=30:d=6 -map 1:v -map 0:a -c:v libx264 -preset ultrafast -c:a aac @',
    path('tone.mp4'),
  )
  ffmpeg('-f lavfi -i sine=frequency=3000:duration=4 -c:a pcm_s16le @', path('song.wav'))
  const three = keeping('A', 6000, [
    [0, 2000],
    [2000, 4000],
    [4000, 6000],
  ])
  three.sound = { loudness: null, peak: -1, music: null }
  const plain = await soundOf(three, { A: path('tone.mp4') }, 'even')
  const louder = await soundOf(setGain([1], 6)(three), { A: path('tone.mp4') }, 'louder')
  const gained = [0.5, 2.5, 4.5].map((from) => between(louder, from, from + 1) - between(plain, from, from + 1))
  expect(gained[0]).toBeCloseTo(0, 1)
  expect(gained[1]).toBeCloseTo(6, 1)
  expect(gained[2]).toBeCloseTo(0, 1)

  const music = { assetId: 'M', gain: -10, duck: 0, fadeOutMs: 1000, fadeInMs: 2000, fromMs: 1000, once: true } as const
  const files = { A: path('tone.mp4'), M: path('song.wav') }
  const under = await soundOf({ ...three, sound: { ...three.sound, music } }, files, 'under')
  // The tone of the voice cancels out: what is left is the music, three seconds of it.
  const song = under.map((value, i) => value - (plain[i] ?? 0))
  expect(between(song, 1.8, 2) - between(song, 0.4, 0.6)).toBeGreaterThan(9)
  expect(between(song, 2.7, 2.9)).toBeLessThan(between(song, 1.8, 2) - 6)
  expect(between(song, 3.2, 5.8)).toBeLessThan(-60)
})

it('the voice of a passage comes and goes evenly over its own fades, and its neighbours stay', async () => {
  ffmpeg(
    '-f lavfi -i sine=frequency=300:duration=6 -f lavfi -i color=c=black:s=90x160:r=30:d=6 -map 1:v -map 0:a -c:v libx264 -preset ultrafast -c:a aac @',
    path('faded.mp4'),
  )
  const whole = keeping('A', 6000, [[0, 6000]])
  whole.sound = { loudness: null, peak: -1, music: null }
  // Its fades stay at the ends of the passage, though half a second is cut out of its middle.
  const by = { reason: 'by-hand', by: 'person', why: '', on: true } as const
  const cut = { id: 'r', source: whole.sources[0]!.id, start: 2000, end: 2500, ...by }
  const recipe = { ...whole, removed: [cut] }
  const plain = await soundOf(recipe, { A: path('faded.mp4') }, 'unfaded')
  const faded = setFade([1], 'fadeOutMs', 2000)(setFade([0], 'fadeInMs', 1000)(recipe))
  const made = await soundOf(faded, { A: path('faded.mp4') }, 'faded')
  const lower = ([from, to]: readonly [number, number]) => between(made, from, to) - between(plain, from, to)
  // Half and a quarter of the way.
  expect(lower([0.49, 0.51])).toBeCloseTo(-6, 0)
  expect(lower([0.24, 0.26])).toBeCloseTo(-12, 0)
  expect(lower([1.1, 3.4])).toBeCloseTo(0, 1)
  expect(lower([4.49, 4.51])).toBeCloseTo(-6, 0)
  expect(between(made, 5.48, 5.5)).toBeLessThan(between(plain, 5.3, 5.4) - 30)
})

it('the room of a human voice goes on under cuts, cards and quieter passages as loud as it is, without a click', async () => {
  ffmpeg(
    `-i @ -f lavfi -i color=c=black:s=90x160:r=30:d=11 -map 1:v -map 0:a -c:v libx264 -preset ultrafast -c:a aac -b:a 192k -ar 48000 -shortest @`,
    kennedy.file,
    path('human.mp4'),
  )
  const take = keeping('A', 11_000, [
    [0, 3600],
    [5100, 11_000],
  ])
  const card = { on: true, lengthMs: 3000, title: 'x', call: '' }
  const bare: Recipe = { ...take, close: card, sound: { loudness: null, peak: -1, music: null } }
  const toned = setTone(true)(bare)
  const [without, withTone] = [
    await soundOf(bare, { A: path('human.mp4') }, 'no-tone'),
    await soundOf(toned, { A: path('human.mp4') }, 'tone'),
  ]
  const end = timelineOf(toned).frames / 30
  // The quietest second of what was said, as it is rendered without this.
  const floor = Math.min(...Array.from({ length: 80 }, (_, i) => between(without, 0.1 * i, 0.1 * i + 1)))
  expect(Math.abs(between(withTone, end - 2.9, end - 1.1) - floor)).toBeLessThan(1)
  expect(between(without, end - 2.9, end - 1.1)).toBeLessThan(floor - 20)
  // It goes: nothing steps at the end of the video.
  expect(between(withTone, end - 0.1, end)).toBeLessThan(floor - 10)
  // Where the voice is as it was recorded nothing is added.
  expect(Math.abs(between(withTone, 0.5, 3) - between(without, 0.5, 3))).toBeLessThan(0.1)
  // Around the cut and where the card begins no sample lies further from the one before than anywhere else.
  const step = (samples: Float32Array, from: number, to: number) => {
    let most = 0
    for (let i = Math.round(from * 16_000); i < to * 16_000; i++)
      most = Math.max(most, Math.abs(samples[i]! - samples[i - 1]!))
    return most
  }
  for (const at of [3.6, end - 3]) {
    expect(step(withTone, at - 0.02, at + 0.02)).toBeLessThanOrEqual(step(withTone, 0.1, end - 3.1))
    // The hundredth of a second on either side is no hole.
    expect(between(withTone, at - 0.005, at + 0.005)).toBeGreaterThan(floor - 6)
    expect(between(without, at - 0.005, at + 0.005)).toBeLessThan(between(withTone, at - 0.005, at + 0.005))
  }
  // A passage that is nearly muted is as loud as the room.
  const muted = await soundOf(setGain([1], -24)(toned), { A: path('human.mp4') }, 'muted')
  expect(at(levels(muted.subarray(4 * 16_000, 9 * 16_000)), 0.05)).toBeGreaterThan(floor - 2)
})

it('two pieces of music are heard in their places, and the music under the video in between', async () => {
  const dark = '-f lavfi -i anullsrc=r=48000 -f lavfi -i color=c=black:s=90x160:r=30:d=6 -t 6'
  ffmpeg(`${dark} -map 1:v -map 0:a -c:v libx264 -preset ultrafast -c:a aac @`, path('quiet.mp4'))
  for (const [name, hz] of [
    ['bed', 400],
    ['one', 800],
    ['two', 1000],
  ] as const)
    ffmpeg(`-f lavfi -i sine=frequency=${hz}:duration=2 -c:a pcm_s16le @`, path(`${name}.wav`))
  const recipe = keeping('A', 6000, [[0, 6000]])
  const song = { gain: -10, duck: 0, fadeOutMs: 0 }
  recipe.sound = { loudness: null, peak: -1, music: { ...song, assetId: 'bed' } }
  const piece = { kind: 'music', ...song, fadeInMs: 500, fadeOutMs: 500, fromMs: 0, on: true } as const
  const span = (start: number, end: number) => ({ source: recipe.sources[0]!.id, start, end })
  recipe.layers = [
    { ...piece, id: 'u1', assetId: 'one', span: span(1000, 2500) },
    { ...piece, id: 'u2', assetId: 'two', gain: -16, span: span(3500, 5000) },
    // Shorter than what loudness is measured by.
    { ...piece, id: 'u3', assetId: 'one', span: span(2600, 2900), fadeInMs: 0, fadeOutMs: 0 },
  ]
  const files = { A: path('quiet.mp4'), bed: path('bed.wav'), one: path('one.wav'), two: path('two.wav') }
  const all = await soundOf(recipe, files, 'pieces')
  /** How loud a tone is between two moments, dB. */
  const tone = (hz: number, from: number, to: number) => {
    let [real, imaginary] = [0, 0]
    for (let i = Math.round(from * 16_000); i < to * 16_000; i++) {
      real += all[i]! * Math.cos((2 * Math.PI * hz * i) / 16_000)
      imaginary += all[i]! * Math.sin((2 * Math.PI * hz * i) / 16_000)
    }
    return 20 * Math.log10(Math.hypot(real, imaginary) / ((to - from) * 16_000) + 1e-9)
  }
  const heard = [
    [0.2, 0.9],
    [1.6, 1.9],
    [3, 3.4],
    [4.1, 4.4],
    [5.2, 5.8],
  ].map(([from, to]) => [400, 800, 1000].map((hz) => tone(hz, from!, to!)))
  const least = Math.max(...heard.flat()) - 12
  expect(heard.map((levels) => levels.map((level) => level > least))).toEqual([
    [true, false, false],
    [false, true, false],
    [true, false, false],
    [false, false, true],
    [true, false, false],
  ])
  expect(heard[1]![1]! - heard[3]![2]!).toBeCloseTo(6, 0)
  const short = tone(800, 2.65, 2.85)
  expect(short).toBeGreaterThan(least)
  expect(short).toBeLessThan(heard[1]![1]! + 3)
  expect(heard[1]![0]! - heard[0]![0]!).toBeLessThan(-40)
})

it('B-roll is heard where it is seen, at its own pace, lower under speech, until it has run out; its pitch stays', async () => {
  const dark = '-f lavfi -i anullsrc=r=48000 -f lavfi -i color=c=black:s=90x160:r=30:d=6 -t 6'
  ffmpeg(`${dark} -map 1:v -map 0:a -c:v libx264 -preset ultrafast -c:a aac @`, path('silent.mp4'))
  // A second of one tone, then two of another.
  const street = 'sine=frequency=500:duration=1[a];sine=frequency=1500:duration=2[b];[a][b]concat=n=2:v=0:a=1[s]'
  ffmpeg(
    `-filter_complex ${street} -f lavfi -i color=c=gray:s=90x160:r=30:d=3 -map 0:v -map [s] -c:v libx264 -preset ultrafast -c:a aac @`,
    path('street.mp4'),
  )
  const recipe = keeping('A', 6000, [[0, 6000]])
  const source = recipe.sources[0]!.id
  recipe.sound = { loudness: null, peak: -1, music: null }
  recipe.words = [{ id: 'w', source, start: 2000, end: 3000, text: 'Rates', confidence: 1, origin: 'typed' }]
  const sound = { gain: -10, duck: 12 }
  const layer = { kind: 'b-roll', assetId: 'B', fromMs: 0, focus: { x: 0.5, y: 0.5 }, on: true, sound } as const
  const files = { A: path('silent.mp4'), B: path('street.mp4') }
  const made = await soundOf(
    { ...recipe, layers: [{ ...layer, id: 'b1', speed: 0.5, span: { source, start: 1000, end: 6000 } }] },
    files,
    'street',
  )
  const tone = (hz: number, from: number, to: number) => {
    const part = made.subarray(from * 16_000, to * 16_000)
    const sum = (wave: (angle: number) => number) =>
      part.reduce((all, one, i) => all + one * wave((2 * Math.PI * hz * i) / 16_000), 0)
    return 20 * Math.log10(Math.hypot(sum(Math.cos), sum(Math.sin)) / part.length + 1e-9)
  }
  expect(between(made, 0.2, 0.9)).toBeLessThan(-70)
  // Half as fast: the first second lasts two, at the same pitch.
  expect(tone(500, 1.2, 1.6)).toBeGreaterThan(tone(1500, 1.2, 1.6) + 20)
  expect(tone(500, 2.3, 2.7) - tone(500, 1.2, 1.6)).toBeCloseTo(-12, 0)
  expect(tone(1500, 3.6, 5.5)).toBeGreaterThan(tone(500, 3.6, 5.5) + 20)
  const over = await soundOf(
    { ...recipe, layers: [{ ...layer, id: 'b1', fromMs: 2000, span: { source, start: 1000, end: 6000 } }] },
    files,
    'over',
  )
  expect(between(over, 1.2, 1.6)).toBeGreaterThan(-40)
  expect(between(over, 2.2, 5.8)).toBeLessThan(-70)
  const silent = { ...layer, id: 'b1', span: { source, start: 1000, end: 6000 } }
  const { sound: _, ...bare } = silent
  expect(between(await soundOf({ ...recipe, layers: [bare] }, files, 'unheard'), 0, 6)).toBeLessThan(-70)
})

it('B-roll whose sound is over before its picture, or that is seen for one slow picture, is silent there', async () => {
  const picture = '-f lavfi -i color=c=black:s=90x160:r=30'
  const encoded = '-c:v libx264 -preset ultrafast -c:a aac @'
  ffmpeg(`-f lavfi -i anullsrc=r=48000 ${picture}:d=6 -t 6 -map 1:v -map 0:a ${encoded}`, path('still.mp4'))
  ffmpeg(`-f lavfi -i sine=duration=0.5 ${picture}:d=3 -map 1:v -map 0:a ${encoded}`, path('half.mp4'))
  const recipe = keeping('A', 6000, [[0, 6000]])
  const source = recipe.sources[0]!.id
  recipe.sound = { loudness: null, peak: -1, music: null }
  const layer = {
    kind: 'b-roll',
    assetId: 'B',
    focus: { x: 0.5, y: 0.5 },
    on: true,
    sound: { gain: 0, duck: 0 },
  } as const
  const layers: Recipe['layers'] = [
    { ...layer, id: 'b1', fromMs: 1000, span: { source, start: 1000, end: 3000 } },
    { ...layer, id: 'b2', fromMs: 0, speed: 0.25, span: { source, start: 4000, end: 4034 } },
  ]
  const made = await soundOf({ ...recipe, layers }, { A: path('still.mp4'), B: path('half.mp4') }, 'half')
  expect(between(made, 0.5, 3.5)).toBeLessThan(-70)
})

it('sound effects are heard at their moments, each time, as loud as they say, and end with their place', async () => {
  ffmpeg(
    '-f lavfi -i sine=frequency=300:duration=6 -f lavfi -i color=c=black:s=90x160:r=30:d=6 -map 1:v -map 0:a -c:v libx264 -preset ultrafast -c:a aac @',
    path('hum.mp4'),
  )
  const plain = keeping('A', 6000, [[0, 6000]])
  plain.sound = { loudness: null, peak: -1, music: null }
  const span = (start: number, end: number) => ({ source: plain.sources[0]!.id, start, end })
  const sound = { kind: 'sound', on: true } as const
  const layers: Recipe['layers'] = [
    { ...sound, id: 'e1', name: 'ding', gain: -6, span: span(1000, 2400) },
    { ...sound, id: 'e2', name: 'ding', gain: -12, span: span(3000, 4400) },
    { ...sound, id: 'e3', name: 'rise', gain: 0, span: span(4500, 5000) },
    { ...sound, id: 'e4', name: 'pop', gain: 0, span: span(200, 400), on: false },
  ]
  const even = await soundOf(plain, { A: path('hum.mp4') }, 'no-effects')
  const rung = await soundOf({ ...plain, layers }, { A: path('hum.mp4') }, 'effects')
  const effects = rung.map((value, i) => value - (even[i] ?? 0))
  expect(between(effects, 0, 0.97)).toBeLessThan(-60)
  const ding = effectSamples('ding').subarray(0, effectRate / 2)
  const power = 10 * Math.log10(ding.reduce((all, one) => all + one * one, 0) / ding.length)
  // Two channels that are alike, heard as one, are 3 dB louder.
  expect(between(effects, 1, 1.5)).toBeCloseTo(power - 6 + 3, 0)
  expect(between(effects, 3, 3.5) - between(effects, 1, 1.5)).toBeCloseTo(-6, 0)
  expect(between(effects, 4.8, 4.98)).toBeGreaterThan(-40)
  expect(between(effects, 5.03, 5.9)).toBeLessThan(-60)
})

it('how much quieter a cleaned voice is heard to be is known before anything is rendered', async () => {
  const recipe = keeping('A', 11_000, [[0, 11_000]])
  recipe.sound = { loudness: null, peak: -1, music: null }
  await soundOf(recipe, { A: path('noisy.mp4') }, 'plain-as-it-was')
  const clean = { ...recipe, sound: { ...recipe.sound, clean: true } }
  await soundOf(clean, { A: path('noisy.mp4') }, 'clean-as-it-was')
  const quieter = integrated('clean-as-it-was') - integrated('plain-as-it-was')
  const found = await probe(path('noisy.mp4'))
  if (!found.ok) throw new Error(found.code)
  const { signal } = new AbortController()
  const louder = await cleanedBy(path('noisy.mp4'), found, { place: path('clean-as-it-was'), signal })
  expect(Math.abs(quieter)).toBeGreaterThan(1)
  expect(Math.abs(louder! - quieter)).toBeLessThan(0.5)
  expect(await cleanedBy(path('noisy.mp4'), { ...found, audio: null }, { place: path('plain'), signal })).toBe(0)
})

it('the limiter of the preview lowers a loud voice as that of the render does', () => {
  const heard = (more: string) => {
    const filter = `aresample=48000,aformat=sample_fmts=fltp:channel_layouts=mono,volume=14dB${more}`
    const args = ['-v', 'error', '-i', kennedy.file, '-af', filter, '-f', 'f32le', '-']
    const { stdout } = spawnSync(process.env['FFMPEG_PATH'] || 'ffmpeg', args, { maxBuffer: 2 ** 28 })
    return new Float32Array(stdout.buffer, stdout.byteOffset, stdout.length / 4)
  }
  const [limit, samples] = [0.794, heard('')]
  const wanted = heard(`,alimiter=limit=${limit}:level=0:latency=1`)
  const { process: lower, delay } = limiter(48_000, limit)
  const own = new Float32Array(samples.length + delay)
  own.set(samples)
  lower(own, own.slice())
  const power = (all: Float32Array) => 10 * Math.log10(all.reduce((sum, one) => sum + one * one, 0) / all.length)
  const lowered = own.subarray(delay, delay + wanted.length)
  expect(power(samples) - power(wanted)).toBeGreaterThan(3)
  expect(Math.abs(power(lowered) - power(wanted))).toBeLessThan(0.3)
  expect(power(lowered.map((one, i) => one - wanted[i]!))).toBeLessThan(power(wanted) - 20)
})

/** By how many slices the one is later than the other where they are most alike. */
function bestShift(one: number[], other: number[]): number {
  const alike = (by: number) =>
    one.slice(20, -20).reduce((all, level, i) => all - Math.abs(level - other[i + 20 + by]!), 0)
  const tried = Array.from({ length: 21 }, (_, i) => i - 10)
  return tried.reduce((best, by) => (alike(by) > alike(best) ? by : best), 0)
}

it('how loud passages and music will be is known from what ingest measured, before anything is rendered', async () => {
  ffmpeg(
    '-i @ -f lavfi -i color=c=black:s=90x160:r=30:d=11 -map 1:v -map 0:a -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -ac 2 -shortest @',
    kennedy.file,
    path('said.mp4'),
  )
  ffmpeg(`-f lavfi -i sine=frequency=440:sample_rate=44100:duration=3,volume=-12dB @`, path('hum.wav'))
  const [said, hum] = [await loudOf(path('said.mp4'), 'said'), await loudOf(path('hum.wav'), 'hum')]
  const recipe = keeping('A', 11_000, [
    [500, 2500],
    [3000, 6200],
    [7000, 10_500],
  ])
  recipe.keep[1]!.gain = -5
  const music = { assetId: 'M', gain: -12, duck: 0, fadeOutMs: 0, fromMs: 1500 }
  const files = { A: path('said.mp4'), M: path('hum.wav') }
  const silent = { ...recipe, sound: { loudness: null, peak: -1, music: null } }
  await soundOf(silent, files, 'said-as-it-was')
  const timeline = timelineOf(recipe)
  const voice = voiceLoudness(recipe, timeline, new Map([['s', said]]))!
  expect(Math.abs(voice - integrated('said-as-it-was'))).toBeLessThan(0.6)
  // With one channel alone it is played louder by both sides of a browser.
  ffmpeg('-i @ -c:v copy -c:a aac -ac 1 @', path('said.mp4'), path('one.mp4'))
  const one = voiceLoudness(recipe, timeline, new Map([['s', await loudOf(path('one.mp4'), 'one')]]))!
  expect(Math.abs(one - voice - 3)).toBeLessThan(0.3)
  // The recording is silent: the file is its music alone.
  ffmpeg(
    '-f lavfi -i anullsrc=r=48000:cl=stereo -f lavfi -i color=c=black:s=90x160:r=30 -t 11 -c:v libx264 -preset ultrafast -c:a aac @',
    path('nothing.mp4'),
  )
  const under = { ...silent, sound: { ...silent.sound, music } }
  await soundOf(under, { ...files, A: path('nothing.mp4') }, 'hum-alone')
  const length = { video: timeline.frames / 30, piece: 3 }
  const level = levelsOf({ loudness: null, gain: music.gain }, voice, musicLoudness(music, hum, length))
  expect(Math.abs(musicLoudness(music, hum, length) + level.music - integrated('hum-alone'))).toBeLessThan(0.6)
  expect(Math.abs(level.music)).toBeGreaterThan(1)
})

async function loudOf(file: string, name: string): Promise<Loud> {
  const found = await probe(file)
  if (!found.ok) throw new Error(found.code)
  const outDir = path(`measured-${name}`)
  mkdirSync(outDir)
  expect(await ingest({ source: file, outDir, probe: found })).toMatchObject({ ok: true })
  return (JSON.parse(readFileSync(join(outDir, peaksFile), 'utf8')) as Peaks).loud
}

/** LUFS of what `soundOf` made, as ffmpeg itself measures the whole file. */
function integrated(name: string): number {
  const file = readdirSync(path(name)).find((one) => one.endsWith('.m4a'))!
  const args = ['-hide_banner', '-nostats', '-i', join(path(name), file), '-af', 'ebur128', '-f', 'null', '-']
  const { stderr } = spawnSync(process.env['FFMPEG_PATH'] || 'ffmpeg', args, { encoding: 'utf8' })
  return Number(/I:\s+(-?[\d.]+) LUFS\s*\n\s+Threshold/.exec(stderr)![1])
}

it('a recording is read again for what is played out of its order, and every passage is read once, forward', () => {
  const piece = (from: number, to: number) => ({ from, to })
  const rising = [piece(0, 10), piece(12, 30), piece(30, 40)]
  expect(byReader(rising)).toEqual([rising])
  const [first, second, third] = rising as [(typeof rising)[0], (typeof rising)[0], (typeof rising)[0]]
  expect(byReader([third, first, second])).toEqual([[third], [first, second]])
  // The same passage twice.
  expect(byReader([first, first, third])).toEqual([[first, third], [first]])
  const falling = Array.from({ length: 20 }, (_, i) => piece(100 - i, 101 - i))
  const readers = byReader(falling)
  expect(readers).toHaveLength(8)
  expect(new Set(readers.flat()).size).toBe(20)
})

it('passages in another order are heard in it', async () => {
  const file = path('order.mp4')
  // A tone for each second: 200, 400 and 600 Hz.
  const tones = 'aevalsrc=0.3*sin(2*PI*t*200*(1+floor(t))):s=48000:d=3'
  ffmpeg(`-f lavfi -i ${tones} -f lavfi -i color=c=black:s=90x160:r=30:d=3 -map 1:v -map 0:a ${quick} -c:a aac @`, file)
  const recipe = keeping('A', 3000, [
    [2000, 3000],
    [0, 2000],
  ])
  const sound = await soundOf(recipe, { A: file }, 'order')
  // How often a wave crosses zero upwards, away from the joints.
  const tone = (second: number) => {
    const part = sound.subarray((second + 0.2) * 16_000, (second + 0.8) * 16_000)
    return Math.round(part.filter((one, i) => i > 0 && one >= 0 && part[i - 1]! < 0).length / 0.6 / 20) * 20
  }
  expect([0, 1, 2].map(tone)).toEqual([600, 200, 400])
})
