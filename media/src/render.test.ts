import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { asPhone, framesOf, numberedSource, numberOf, seenAt, tickEvery, ticksOf } from '../test/barcode.ts'
import { scratch, tracks } from '../test/footage.ts'
import { grey, keeping, paintGrey, type Grey } from '../test/recipes.ts'
import type { Box, State } from './band.ts'
import type { Material } from './chunks.ts'
import { makeClip } from './make-clip.ts'
import { probe, type Probe } from './probe.ts'
import { plan, run, type Rendered, type RenderJob } from './render.ts'

const { path, write, bin } = scratch()
afterAll(bin)

const size = { width: 180, height: 320 }
const box: Box = { x: 20, y: 240, width: 100, height: 40 }
const card: Box = { x: 0, y: 0, ...size }

async function seen(file: string): Promise<Probe> {
  const found = await probe(file)
  if (!found.ok) throw new Error(found.code)
  return found
}

type Made = { recipe: Recipe; track?: State<Grey>[]; cards?: State<Grey>[]; more?: Partial<RenderJob<Grey>>; out?: string }

/** Renders with the given files by asset; every call has an output folder of its own. */
function studio(files: Record<string, string>, cache: string) {
  const cacheDir = path(cache)
  const byAsset = new Map(Object.entries(files))
  let count = 0
  const planned = async ({ recipe, track = [], cards = [] }: Made) => {
    const materials = new Map<string, Material>()
    for (const [asset, file] of byAsset) materials.set(asset, { hash: `sha of ${asset}`, probe: await seen(file) })
    return plan<Grey>(recipe, { materials, painted: { tracks: [track], cards } })
  }
  const render = async (made: Made) => {
    const outDir = path(`${cache}-out-${count++}`)
    mkdirSync(outDir)
    const answer = await run(await planned(made), { files: byAsset, cacheDir, outDir, paint: paintGrey, ...made.more })
    return { answer, video: join(outDir, 'video.mp4'), outDir }
  }
  const done = async (made: Made): Promise<Rendered & { video: string; outDir: string }> => {
    const { answer, ...where } = await render(made)
    if (!answer.ok) throw new Error(answer.code)
    return { ...answer, ...where }
  }
  const kept = () => readdirSync(cacheDir).toSorted()
  return { planned, render, done, kept, cacheDir }
}

describe('a render of numbered frames from a phone', () => {
  const numbered = { ...size, frames: 330 }
  const recipe = keeping('A', 11_000, [
    [500, 1833],
    [2000, 3100],
    [4000, 4033],
    [5000, 7000],
    [7500, 10_900],
  ])
  recipe.joints = [{ id: 'j', source: 's', at: 7000, kind: 'crossfade', lengthMs: 300 }]
  const move = { id: 'm', source: 's', focus: null, by: 'rule', why: '', on: true } as const
  recipe.moves = [{ ...move, kind: 'punch-in', start: 8500, end: 9500, scale: 1.1 }]
  recipe.close = { on: true, lengthMs: 500, title: '', call: '' }
  recipe.sound.loudness = null
  const { pieces, frames } = timelineOf(recipe)
  let made: Awaited<ReturnType<ReturnType<typeof studio>['done']>>
  let shown: ReturnType<typeof framesOf>
  const told: number[] = []

  beforeAll(async () => {
    const { picture, sound } = numberedSource(numbered)
    asPhone(write('a.yuv', picture), write('a.pcm', sound), numbered, path('lying.mov'), path('phone.mov'))
    made = await studio({ A: path('phone.mov') }, 'numbered').done({
      recipe,
      track: [grey('x', 0, 12, 20, box), grey('y', 12, 30, 230, box), grey('z', 35, 60, 20, box)],
      cards: [grey('card', frames - 15, frames, 240, card)],
      more: { onProgress: ({ done }) => told.push(done) },
    })
    shown = framesOf(made.video, size)
  })

  it('is as long as its recipe, and one stream from end to end', () => {
    expect(made).toMatchObject({ frames, durationMs: 8067, reused: 0 })
    const { video, audio, seconds } = tracks(made.video)
    expect(video).toMatchObject({ nb_frames: `${frames}`, r_frame_rate: '30/1', avg_frame_rate: '30/1' })
    expect(video).toMatchObject({ pix_fmt: 'yuv420p', color_range: 'tv', color_space: 'bt709', color_transfer: 'bt709' })
    expect(audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000', channels: 2 })
    expect(Math.abs(seconds - frames / 30)).toBeLessThan(1 / 30)
    expect(Math.abs(Number(audio?.['duration']) - frames / 30)).toBeLessThan(0.02)
    // The index stands in front.
    expect(readFileSync(made.video).indexOf('moov')).toBeLessThan(readFileSync(made.video).indexOf('mdat'))
  })

  it('shows every frame that was kept, each joint to the frame', () => {
    expect(shown.count).toBe(frames)
    for (const { at, from, to, fadeIn, fadeOut } of pieces)
      for (let n = from + fadeIn; n < to - fadeOut; n++) {
        const zoom = n >= 255 && n < 285 ? 1.1 : 1
        expect(numberOf(shown.blocks(at + n - from, zoom)), `source frame ${n}`).toBe(seenAt(n))
      }
  })

  it('mixes both pictures in a crossfade', () => {
    const [before, after] = [pieces[3], pieces[4]]
    expect(after?.fadeIn).toBe(9)
    if (!before || !after) return
    for (let i = 0; i < 9; i++) {
      const [out, into] = [seenAt(before.to - 9 + i), seenAt(after.from + i)]
      const light = (n: number, bit: number) => ((n >> bit) & 1 ? 220 : 30)
      shown.blocks(after.at + i).forEach((value, bit) => {
        const wanted = light(out, bit) * (1 - i / 9) + light(into, bit) * (i / 9)
        // Decoded as full range here: 16 to 235 became 0 to 255.
        expect(Math.abs(value - wanted), `frame ${i}, bit ${bit}`).toBeLessThan(25)
      })
    }
  })

  it('keeps sound in step with the picture, to the end', () => {
    const heard = ticksOf(made.video)
    const wanted = pieces.flatMap(({ at, from, to, fadeIn, fadeOut }) =>
      Array.from({ length: 22 }, (_, i) => i * tickEvery)
        // A tick at a cut's very edge is faded with it.
        .filter((tick) => tick > from + fadeIn && tick < to - fadeOut)
        .map((tick) => (at + tick - from) / 30),
    )
    for (const moment of wanted)
      expect(Math.min(...heard.at.map((at) => Math.abs(at - moment))), `tick at ${moment}`).toBeLessThan(0.002)
    expect(Math.max(...wanted)).toBeGreaterThan(7)
  })

  it('shows each painted state for its frames, and the card at the end', () => {
    const light = (frame: number) => shown.light(frame, 60, 260)
    expect([0, 11, 12, 29].map((frame) => light(frame) > 128)).toEqual([false, false, true, true])
    for (const frame of [32, 62]) expect(Math.abs(light(frame) - 86)).toBeLessThan(15)
    expect(light(45)).toBeLessThan(40)
    expect(light(frames - 16)).toBeLessThan(120)
    expect(light(frames - 15)).toBeGreaterThan(220)
  })

  it('tells how far it is, never backwards, up to the end', () => {
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(told.at(-1)).toBeCloseTo(1)
  })
})

describe('a render of a voice', () => {
  const recipe = keeping('A', 12_000, [
    [300, 3500],
    [4000, 11_800],
  ])
  const captions = (changed = '') =>
    Array.from({ length: 10 }, (_, i) => grey(`w${i}${i === 7 ? changed : ''}`, i * 30, i * 30 + 20, i * 20, box))
  let room: ReturnType<typeof studio>
  let whole: Awaited<ReturnType<typeof room.done>>

  beforeAll(async () => {
    await makeClip({ out: path('voice.mp4'), seconds: 12, ...size, hue: 210 })
    room = studio({ A: path('voice.mp4') }, 'voice')
    // One core: then threads, and with them the bytes, are always the same.
    whole = await room.done({ recipe, track: captions(), more: { cores: 1 } })
  }, 60_000)

  it('is as loud as asked for', () => {


    expect(whole.loudness.integrated).toBeCloseTo(-14, 0)
    expect(whole.loudness.peak).toBeLessThanOrEqual(-1)
  })
})
