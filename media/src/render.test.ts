import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clipSeconds } from '@clear-to-post/edit/clip-time'
import { titleMotions, type Recipe } from '@clear-to-post/edit/recipe'
import { placeOf, turnedSize } from '@clear-to-post/edit/framing'
import { pinnedLook } from '@clear-to-post/edit/pinned-motion'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { entranceAt } from '@clear-to-post/edit/title-motion'
import { asPhone, framesOf, numberedSource, numberOf, seenAt, tickEvery, ticksOf } from '../test/barcode.ts'
import { ffmpeg, pointAt, quick, scratch, tracks } from '../test/footage.ts'
import { isLong } from '../test/long.ts'
import { grey, keeping, paintGrey, type Grey } from '../test/recipes.ts'
import type { Box, State } from './band.ts'
import { chunkArguments, encodingOf, groupsOf, type Material } from './chunks.ts'
import type { Quality } from './encoder.ts'
import { makeClip } from './make-clip.ts'
import { probe, type Probe } from './probe.ts'
import { trimCache } from './render-cache.ts'
import { joinArguments, plan, run, type Rendered, type RenderJob } from './render.ts'
import { finishArguments, gatherArguments, loudnessFrom } from './sound.ts'

const { path, write, bin } = scratch()
afterAll(bin)

const size = { width: 180, height: 320 }
const box: Box = { x: 20, y: 240, width: 100, height: 40 }
const card: Box = { x: 0, y: 0, ...size }
const ordinary = { pixelFormat: 'yuv420p', hdr: null, matrix: 'bt709', alpha: false } as const

async function seen(file: string): Promise<Probe> {
  const found = await probe(file)
  if (!found.ok) throw new Error(found.code)
  return found
}

type Made = {
  recipe: Recipe
  quality?: Quality
  track?: State<Grey>[]
  cards?: State<Grey>[]
  more?: Partial<RenderJob<Grey>>
  out?: string
}

/** Renders with the given files by asset; every call has an output folder of its own. */
function studio(files: Record<string, string>, cache: string, probes = new Map<string, Probe>()) {
  const cacheDir = path(cache)
  const byAsset = new Map(Object.entries(files))
  let count = 0
  const planned = async ({ recipe, quality, track = [], cards = [] }: Made) => {
    const materials = new Map<string, Material>()
    for (const [asset, file] of byAsset) {
      if (!probes.has(asset)) probes.set(asset, await seen(file))
      materials.set(asset, { hash: `sha of ${asset}`, probe: probes.get(asset) ?? (await seen(file)) })
    }
    return plan<Grey>(recipe, { materials, painted: { tracks: [track], cards }, quality })
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
  const kept = () => (readdirSync(path('')).includes(cache) ? readdirSync(cacheDir).toSorted() : [])
  const keptChunks = () => kept().filter((name) => /^[0-9a-f]+\.mp4$/.test(name))
  return { planned, render, done, kept, keptChunks, cacheDir }
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
  const near = { ...move, kind: 'punch-in', scale: 1.1 } as const
  // The first one leaves a single frame before it.
  recipe.moves = [
    { ...near, id: 'l', start: 533, end: 1000 },
    { ...near, start: 8500, end: 9500 },
  ]
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

  it('is as long as its recipe, with one video and one sound stream', () => {
    expect(made).toMatchObject({ frames, durationMs: 8067, reused: 0 })
    const { video, audio, seconds } = tracks(made.video)
    expect(video).toMatchObject({ nb_frames: `${frames}`, r_frame_rate: '30/1', avg_frame_rate: '30/1' })
    expect(video).toMatchObject({
      pix_fmt: 'yuv420p',
      color_range: 'tv',
      color_space: 'bt709',
      color_transfer: 'bt709',
    })
    expect(audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000', channels: 2 })
    expect(Math.abs(seconds - frames / 30)).toBeLessThan(1 / 30)
    expect(Math.abs(Number(audio?.['duration']) - frames / 30)).toBeLessThan(0.02)
    // The index (moov) is at the beginning of the file.
    expect(readFileSync(made.video).indexOf('moov')).toBeLessThan(readFileSync(made.video).indexOf('mdat'))
  })

  it('shows every kept frame, with each joint exact to the frame', () => {
    expect(shown.count).toBe(frames)
    for (const { at, from, to, fadeIn, fadeOut } of pieces)
      for (let n = from + fadeIn; n < to - fadeOut; n++) {
        const zoom = (n >= 16 && n < 30) || (n >= 255 && n < 285) ? 1.1 : 1
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

  it('keeps the sound in step with the picture to the end', () => {
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

  it('shows each caption state for its frames, and the card at the end', () => {
    const light = (frame: number) => shown.light(frame, 60, 260)
    expect([0, 11, 12, 29].map((frame) => light(frame) > 128)).toEqual([false, false, true, true])
    for (const frame of [32, 62]) expect(Math.abs(light(frame) - 86)).toBeLessThan(15)
    expect(light(45)).toBeLessThan(40)
    expect(light(frames - 16)).toBeLessThan(120)
    for (const frame of [frames - 15, frames - 1]) expect(light(frame)).toBeGreaterThan(220)
  })

  it('reports progress that never goes back and reaches the end', () => {
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(told.at(-1)).toBeCloseTo(1)
  })
})

describe('a render of a voice', { timeout: 120_000 }, () => {
  const recipe = keeping('A', 14_000, [
    [300, 3500],
    [4000, 7500],
    [8000, 13_800],
  ])
  const captions = (changed = '') =>
    Array.from({ length: 10 }, (_, i) => grey(`w${i}${i === 7 ? changed : ''}`, i * 30, i * 30 + 20, i * 20, box))
  // One core: then threads, and with them the bytes, are always the same.
  const cores = 1
  let room: ReturnType<typeof studio>
  let whole: Awaited<ReturnType<typeof room.done>>

  beforeAll(async () => {
    await makeClip({ out: path('voice.mp4'), seconds: 14, ...size, hue: 210 })
    room = studio({ A: path('voice.mp4') }, 'voice')
    whole = await room.done({ recipe, track: captions(), more: { cores } })
  })

  it('has the loudness of the recipe, within 1 LU', () => {
    const { integrated, peak } = loudnessOf(whole.video)
    expect(Math.abs(integrated + 14)).toBeLessThan(1)
    expect(peak).toBeLessThanOrEqual(-0.9)
    expect(whole.loudness.integrated).toBeCloseTo(integrated, 0)
  })

  it('is not heard to be split where nothing was taken out', async () => {
    const short = keeping('A', 14_000, [[1000, 3000]])
    short.sound.loudness = null
    const split = {
      ...short,
      keep: [
        { ...short.keep[0]!, end: 1900 },
        { ...short.keep[0]!, id: 'k1', start: 1900 },
      ],
    }
    const heard = await Promise.all(
      [short, split].map(async (one) => samplesOf((await room.done({ recipe: one })).video)),
    )
    const apart = heard[0]!.map((sample, i) => Math.abs(sample - heard[1]![i]!))
    expect(heard[0]!.length).toBe(heard[1]!.length)
    expect(heard[0]!.reduce((most, one) => Math.max(most, one))).toBeGreaterThan(500)
    expect(apart.reduce((most, one) => Math.max(most, one))).toBeLessThan(50)
  })

  it('remakes one chunk when a word changes, and none when nothing changes', async () => {
    const before = room.kept()
    const again = await room.done({ recipe, track: captions(), more: { cores } })
    expect(again).toMatchObject({ made: 0, reused: 7 })
    expect(readFileSync(again.video).equals(readFileSync(whole.video))).toBe(true)
    expect(await room.done({ recipe, track: captions('!'), more: { cores } })).toMatchObject({ made: 1, reused: 6 })
    expect(room.kept().length).toBe(before.length + 1)
    // Another cut moves what comes after it; it changes none of it.
    const shorter = { ...recipe, keep: recipe.keep.map((one, i) => (i === 0 ? { ...one, start: 1300 } : one)) }
    const moved = captions().flatMap((one) => (one.from < 30 ? [] : [{ ...one, from: one.from - 30, to: one.to - 30 }]))
    expect(await room.done({ recipe: shorter, track: moved, more: { cores } })).toMatchObject({ made: 1, reused: 6 })
  })

  it(
    'that was killed continues from its finished chunks and shows the same in every frame',
    { tags: 'long' },
    async () => {
      const other = studio({ A: path('voice.mp4') }, 'killed')
      const planned = await other.planned({ recipe, track: captions() })
      write('plan.json', JSON.stringify(planned))
      const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
      const script = `
      const { readFileSync } = await import('node:fs')
      const { run } = await import(${module('./render.ts')})
      const { paintGrey } = await import(${module('../test/recipes.ts')})
      const files = new Map([['A', ${JSON.stringify(path('voice.mp4'))}]])
      const place = { cacheDir: ${JSON.stringify(other.cacheDir)}, outDir: process.argv[1] }
      await run(JSON.parse(readFileSync(${JSON.stringify(path('plan.json'))})), { files, ...place, paint: paintGrey, cores: 1 })`
      const finished = () => other.keptChunks().length
      for (let kill = 0; kill < 2; kill++) {
        mkdirSync(path(`dead-${kill}`))
        const args = ['--input-type=module', '-e', script, path(`dead-${kill}`)]
        const worker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
        await until(() => finished() > kill)
        worker.kill('SIGKILL')
        await once(worker, 'exit')
      }
      await until(() => running(other.cacheDir) === 0)
      const reused = finished()
      expect(reused).toBeGreaterThanOrEqual(2)
      const done = await other.done({ recipe, track: captions(), more: { cores } })
      expect(done).toMatchObject({ made: 7 - reused, reused })
      // Which chunks are encoded at once decides over a few bits of each, and over nothing that is seen.
      const alike = similarity(done.video, whole.video)
      expect(alike).toHaveLength(whole.frames)
      expect(Math.min(...alike)).toBeGreaterThan(0.98)
    },
  )

  it('that is aborted throws the reason, and leaves no process and no partial chunk', async () => {
    const other = studio({ A: path('voice.mp4') }, 'stopped')
    const stop = new AbortController()
    const rendering = other.render({ recipe, track: captions(), more: { signal: stop.signal } })
    const end = expect(rendering).rejects.toThrow('enough')
    await until(() => running(other.cacheDir) > 0)
    stop.abort(new Error('enough'))
    await end
    expect(running(other.cacheDir)).toBe(0)
    expect(other.kept().filter((name) => name.startsWith('.'))).toEqual([])
  })

  it.runIf(isLong)(
    'that is aborted keeps the chunks that are finished of those that were encoded at once',
    async () => {
      const other = studio({ A: path('voice.mp4') }, 'halfway')
      const stop = new AbortController()
      const rendering = other.render({ recipe, track: captions(), more: { signal: stop.signal, cores: 1 } })
      const end = expect(rendering).rejects.toThrow('enough')
      const inTheMaking = () =>
        other.kept().flatMap((name) => (name.startsWith('.') ? readdirSync(join(other.cacheDir, name)) : []))
      await until(() => inTheMaking().includes('part2.mp4'))
      stop.abort(new Error('enough'))
      await end
      const reused = other.keptChunks().length
      expect(reused).toBeGreaterThanOrEqual(2)
      const done = await other.done({ recipe, track: captions() })
      expect(done).toMatchObject({ made: 7 - reused, reused })
      expect(Math.min(...similarity(done.video, whole.video))).toBeGreaterThan(0.98)
    },
  )

  it('fails with “disk-full” when the disk is full', async () => {
    const paint = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
    const full = studio({ A: path('voice.mp4') }, 'full').render({ recipe, track: captions(), more: { paint } })
    await expect(full).rejects.toMatchObject({ name: 'MediaTrouble', reason: 'disk-full' })
  })

  it('at preview quality has half the size', async () => {
    const { video, answer } = await room.render({ recipe, track: captions(), quality: 'preview' })
    expect(answer).toMatchObject({ ok: true, made: 7 })
    expect(tracks(video).video).toMatchObject({ width: 90, height: 160, nb_frames: `${whole.frames}` })
    expect(Math.abs((framesOf(video, { width: 90, height: 160 }).light(222, 30, 130) ?? 0) - 140)).toBeLessThan(15)
  })

  it('can have its chunk cache trimmed to a size, least recently used first', async () => {
    const [old] = room.keptChunks()
    utimesSync(join(room.cacheDir, old ?? ''), new Date(0), new Date(0))
    const bytes = room.kept().reduce((sum, name) => sum + statSync(join(room.cacheDir, name)).size, 0)
    const trimmed = await trimCache([room.cacheDir], bytes - 1)
    expect(trimmed.bytes).toBeLessThan(bytes)
    expect(trimmed.trimmed).toEqual([room.cacheDir])
    expect((await trimCache([room.cacheDir], bytes)).trimmed).toEqual([])
    expect(room.kept()).not.toContain(old)
  })
})

describe('a source that crashes the decoder', () => {
  it('is refused: only its own child process dies, and none of its chunks is kept', async () => {
    const { picture, sound } = numberedSource({ ...size, frames: 120 })
    ffmpeg(
      `-f rawvideo -pix_fmt yuv420p -video_size 180x320 -framerate 30 -i @ -f s16le -ar 48000 -ac 1 -i @ ${quick} -g 30 -c:a aac -movflags +faststart @`,
      write('w.yuv', picture),
      write('w.pcm', sound),
      path('whole.mp4'),
    )
    const recipe = keeping('A', 4000, [
      [0, 1000],
      [2500, 4000],
    ])
    const healthy = await seen(path('whole.mp4'))
    const bytes = readFileSync(path('whole.mp4'))
    // The index promises what is no longer there, or is noise.
    for (const [name, harmed] of [
      ['cut', bytes.subarray(0, Math.round(bytes.length * 0.5))],
      ['noise', Buffer.concat([bytes.subarray(0, 3000), Buffer.alloc(bytes.length - 3000, 0xa7)])],
      ['script', Buffer.from('<html>')],
    ] as const) {
      const room = studio({ A: write(`${name}.mp4`, harmed) }, `harm-${name}`, new Map([['A', healthy]]))
      expect((await room.render({ recipe })).answer, name).toMatchObject({ ok: false, code: 'damaged' })
      expect(room.kept().filter((file) => file.startsWith('.'))).toEqual([])
    }
  })
})

describe('layers and music', { timeout: 120_000 }, () => {
  it('appear at the place and time that the recipe gives', { tags: 'long' }, async () => {
    const plainVideo = (colour: string, seconds: number, out: string) =>
      ffmpeg(`-f lavfi -i color=${colour}:s=320x180:r=25:d=${seconds} ${quick} @`, path(out))
    plainVideo('0x808080', 5, 'base.mp4')
    plainVideo('0x20c020', 2, 'roll.mp4')
    ffmpeg('-f lavfi -i color=0xd02020:s=80x40,format=rgba -frames:v 1 @', path('logo.png'))
    ffmpeg('-f lavfi -i sine=f=200:d=1 -ar 44100 @', path('song.mp3'))
    const recipe = keeping('A', 5000, [
      [0, 2000],
      [3000, 5000],
    ])
    const shown = { span: null, on: true }
    recipe.layers = [
      { id: 'l', kind: 'logo', assetId: 'L', place: 'top-right', size: 0.3, ...shown },
      {
        id: 'b',
        kind: 'b-roll',
        assetId: 'B',
        fromMs: 0,
        focus: { x: 0.5, y: 0.5 },
        span: { source: 's', start: 1000, end: 3500 },
        on: true,
      },
    ]
    recipe.words = [{ id: 'w', source: 's', text: 'Hi', start: 3000, end: 4900, confidence: 1, origin: 'typed' }]
    recipe.sound = { loudness: null, peak: -1, music: { assetId: 'M', gain: -20, duck: 12, fadeOutMs: 0 } }
    const files = { A: path('base.mp4'), B: path('roll.mp4'), L: path('logo.png'), M: path('song.mp3') }
    const { video } = await studio(files, 'layers').done({ recipe })
    const [grey, green, red] = [
      [128, 128, 128],
      [32, 192, 32],
      [208, 32, 32],
    ]
    const is = (seconds: number, x: number, y: number, colour: number[] | undefined) =>
      pointAt(video, seconds, x, y).forEach((value, i) =>
        expect(Math.abs(value - (colour?.[i] ?? 0)), `${seconds} s at ${x}, ${y}`).toBeLessThan(12),
      )
    is(0.9, 90, 160, grey)
    is(1.1, 90, 160, green)
    is(2.4, 90, 160, green)
    is(2.6, 90, 160, grey)
    // Nine pixels from the corner, thirty percent wide, over the B-roll too.
    for (const moment of [0.5, 1.5]) is(moment, 140, 20, red)
    is(0.5, 140, 60, grey)
    // The music is heard before the word, and twelve decibels lower during it.
    const [before, during] = [level(video, 0.2, 1.2), level(video, 2.6, 1)]
    expect(before - during).toBeCloseTo(12, 0)
  })
})

describe('a band that is painted anew for each frame', { timeout: 120_000 }, () => {
  it('is seen in its frame, more often than ffmpeg adds up in a row', async () => {
    ffmpeg(`-f lavfi -i color=0x808080:s=180x320:r=30:d=7 ${quick} @`, path('plain.mp4'))
    const recipe = keeping('A', 7000, [[0, 7000]])
    const lit = (frame: number) => (frame % 3 === 0 ? 220 : 30)
    const track = Array.from({ length: 200 }, (_, frame) => grey(`g${frame}`, frame, frame + 1, lit(frame), box))
    const { video } = await studio({ A: path('plain.mp4') }, 'anew').done({ recipe, track })
    const shown = framesOf(video, size)
    for (let frame = 0; frame < 200; frame++)
      expect(shown.light(frame, 70, 260) > 125, `frame ${frame}`).toBe(lit(frame) > 125)
  })
})

describe('a picture that comes and goes', { timeout: 120_000 }, () => {
  it('is drawn, fades, rises and grows frame by frame, over the joints of chunks, as its look says', async () => {
    ffmpeg(`-f lavfi -i color=0x808080:s=180x320:r=30:d=5 ${quick} @`, path('ground.mp4'))
    ffmpeg('-f lavfi -i color=0x101010:s=80x40 -frames:v 1 @', path('dark.png'))
    const recipe = keeping('A', 5000, [[0, 5000]])
    const places = ['top-left', 'top-right', 'bottom-left', 'centre'] as const
    // They come over the second on which chunks are parted.
    const span = { source: 's', start: 1800, end: 3600 }
    const layers = titleMotions.map((motion, i) => ({
      id: `p${i}`,
      kind: 'picture' as const,
      assetId: 'P',
      place: places[i]!,
      size: 0.4,
      span,
      on: true,
      motion,
    }))
    recipe.layers = layers
    const room = studio({ A: path('ground.mp4'), P: path('dark.png') }, 'coming')
    expect((await room.planned({ recipe })).chunks.map(({ at }) => at)).toContain(60)
    const { video, frames } = await room.done({ recipe })
    expect(frames).toBe(150)
    const shown = framesOf(video, size)
    const [ground, dark] = [shown.light(5, 90, 160), 16 + (16 * 219) / 255]
    for (let frame = 50; frame < 112; frame++)
      for (const layer of layers) {
        const window = { from: 54, to: 108 }
        const entrance = entranceAt(layer.motion, window, recipe.output.fps, frame)
        const isThere = frame >= window.from && frame < window.to
        const stands = placeOf(layer, { width: 80, height: 40 }, size)
        const look = pinnedLook(stands, entrance ?? { opacity: 1, below: 0, size: 1, shown: 1 })
        const share = isThere ? look.opacity : 0
        const at = (x: number, y: number, covered: number, what: string) => {
          if (x < 0 || y < 0 || x >= size.width || y >= size.height) return
          const light = shown.light(frame, Math.round(x), Math.round(y))
          expect(
            Math.abs(light - ground - covered * (dark - ground)),
            `${what} of ${layer.motion}, frame ${frame}`,
          ).toBeLessThan(25)
        }
        const { x, y, height } = look.box
        const middle = y + height / 2
        at(x + 3, middle, share, 'left')
        at(x + look.shown - 4, middle, share, 'right')
        at(x + look.shown / 2, y + 3, share, 'upper edge')
        at(x + look.shown / 2, y + height - 4, share, 'lower edge')
        at(x + look.shown + 3, middle, 0, 'beside')
        at(x + look.shown / 2, y - 4, 0, 'over')
        at(x + look.shown / 2, y + height + 3, 0, 'under')
      }
  })
})

describe('B-roll', { timeout: 120_000 }, () => {
  const [grey, blue, green] = [
    [128, 128, 128],
    [32, 32, 192],
    [32, 192, 32],
  ]
  const is = (video: string, seconds: number, colour: number[] | undefined) =>
    pointAt(video, seconds, 90, 160).forEach((value, i) =>
      expect(Math.abs(value - (colour?.[i] ?? 0)), `${seconds} s`).toBeLessThan(14),
    )
  const covering = (seconds: number, from: number, to: number, fromMs = 0): Recipe => ({
    ...keeping('A', seconds * 1000, [[0, seconds * 1000]]),
    layers: [
      {
        id: 'b',
        kind: 'b-roll',
        assetId: 'B',
        fromMs,
        focus: { x: 0.5, y: 0.5 },
        span: { source: 's', start: from * 1000, end: to * 1000 },
        on: true,
      },
    ],
  })

  it(
    'of another rate that is shorter than its place shows its last picture to the end, over several chunks',
    { tags: 'long' },
    async () => {
      ffmpeg(`-f lavfi -i color=0x808080:s=320x180:r=30:d=24 ${quick} @`, path('long.mp4'))
      // Blue for 0.6 s, then green for 0.4 s, at a rate that fits no other.
      const parts =
        '-f lavfi -i color=0x2020c0:s=320x180:r=24000/1001:d=0.6 -f lavfi -i color=0x20c020:s=320x180:r=24000/1001:d=0.4'
      ffmpeg(`${parts} -filter_complex concat=n=2 ${quick} @`, path('brief.mp4'))
      const room = studio({ A: path('long.mp4'), B: path('brief.mp4') }, 'brief')
      const { video, frames } = await room.done({ recipe: covering(24, 1, 20) })
      expect(frames).toBe(720)
      is(video, 0.95, grey)
      is(video, 1.05, blue)
      is(video, 1.5, blue)
      is(video, 1.75, green)
      // Chunks are six seconds long: these begin after the clip has ended.
      for (const moment of [3, 7, 13, 19.9]) is(video, moment, green)
      is(video, 20.1, grey)
    },
  )

  it.runIf(isLong)(
    'that begins after its own end, and one whose sound outlasts its picture, show their last picture',
    async () => {
      ffmpeg(`-f lavfi -i color=0x808080:s=320x180:r=30:d=3 ${quick} @`, path('three.mp4'))
      const both = '-f lavfi -i color=0x20c020:s=320x180:r=30:d=1 -f lavfi -i sine=f=200:d=2.5'
      ffmpeg(`${both} ${quick} -c:a aac @`, path('sound.mp4'))
      const room = studio({ A: path('three.mp4'), B: path('sound.mp4') }, 'outlasts')
      const late = await room.done({ recipe: covering(3, 0.5, 2.5, 4000) })
      is(late.video, 0.4, grey)
      is(late.video, 0.6, green)
      is(late.video, 2.4, green)
      is(late.video, 2.6, grey)
      const { video } = await room.done({ recipe: covering(3, 0.5, 2.5) })
      is(video, 2.4, green)
    },
  )

  it.runIf(isLong)('at other speeds than it was recorded shows the frame of each moment, over two chunks', async () => {
    const numbered = { ...size, frames: 330 }
    const { picture, sound } = numberedSource(numbered)
    asPhone(write('p.yuv', picture), write('p.pcm', sound), numbered, path('p-lying.mov'), path('paced.mov'))
    ffmpeg(`-f lavfi -i color=0x808080:s=180x320:r=30:d=8 ${quick} @`, path('eight.mp4'))
    const made = covering(8, 0, 1, 1500)
    const layers = [0.25, 0.75, 2, 4].map((speed, i): Recipe['layers'][number] => {
      const span = { source: 's', start: 1000 + i * 1700, end: 2700 + i * 1700 }
      return { ...made.layers[0]!, span, id: `b${speed}`, speed } as Recipe['layers'][number]
    })
    const recipe = { ...made, layers }
    const { video } = await studio({ A: path('eight.mp4'), B: path('paced.mov') }, 'paced').done({ recipe })
    const shown = framesOf(video, size)
    for (const [place, layer] of layers.entries())
      for (let i = 0; i < 51 && layer.kind === 'b-roll'; i++) {
        const at = clipSeconds(layer, i, recipe.output.fps) * 30
        const frame = Math.floor(at + 1e-6)
        // At an edge of a picture either neighbour may be seen.
        const wanted = Math.abs(at - Math.round(at)) < 1e-6 ? [seenAt(frame), seenAt(frame - 1)] : [seenAt(frame)]
        expect(wanted, `${layer.speed}: ${i}`).toContain(numberOf(shown.blocks(30 + 51 * place + i)))
      }
  })

  it('that fades in and out shows what lies below in parts, and none of it between two clips that meet', async () => {
    ffmpeg(`-f lavfi -i color=0x808080:s=180x320:r=30:d=5 ${quick} @`, path('below.mp4'))
    ffmpeg(`-f lavfi -i color=0xf0f0f0:s=180x320:r=30:d=5 ${quick} @`, path('light.mp4'))
    ffmpeg(`-f lavfi -i color=0x101010:s=180x320 -frames:v 1 @`, path('dark.png'))
    // Both within one stretch that is rendered by itself.
    const made = covering(5, 2.2, 3)
    const [light] = made.layers
    const dark = { ...light!, id: 'c', assetId: 'C', span: { source: 's', start: 3000, end: 3800 } }
    // The later one stands first in the document.
    const layers = [dark, light!].map((one) => ({ ...one, motion: 'fade' }) as Recipe['layers'][number])
    const files = { A: path('below.mp4'), B: path('light.mp4'), C: path('dark.png') }
    const room = studio(files, 'fades')
    const seenOf = async (layers: Recipe['layers']) => {
      const { video, frames } = await room.done({ recipe: { ...made, layers } })
      expect(frames).toBe(150)
      return framesOf(video, size)
    }
    const shown = await seenOf(layers)
    const [grey, white, black] = [shown.light(0, 90, 160), shown.light(80, 90, 160), shown.light(102, 90, 160)]
    // In 6 frames each, a quarter of its time, as evenly as a crossfade.
    const done = (step: number) => step / 7
    const between = (from: number, to: number, part: number) => from + (to - from) * part
    for (let i = 0; i < 6; i++) {
      const is = (frame: number, wanted: number) =>
        expect(Math.abs(shown.light(frame, 90, 160) - wanted), `frame ${frame}`).toBeLessThan(5)
      is(66 + i, between(grey, white, done(i + 1)))
      is(90 + i, between(white, black, done(i + 1)))
      is(113 - i, between(grey, black, done(i + 1)))
    }
    for (const [frame, wanted] of [
      [65, grey],
      [72, white],
      [89, white],
      [96, black],
      [107, black],
      [114, grey],
    ] as const)
      expect(Math.abs(shown.light(frame, 90, 160) - wanted), `frame ${frame}`).toBeLessThan(5)
    const wiped = await seenOf(layers.map((one) => ({ ...one, motion: 'wipe' }) as Recipe['layers'][number]))
    // Drawn from the left: what has come is whole, what has not is what was there.
    const edge = 180 * done(2)
    for (const [frame, before, after] of [
      [67, grey, white],
      [91, white, black],
      [112, grey, black],
    ] as const) {
      expect(Math.abs(wiped.light(frame, Math.floor(edge) - 6, 160) - after), `left, frame ${frame}`).toBeLessThan(5)
      expect(Math.abs(wiped.light(frame, Math.ceil(edge) + 6, 160) - before), `right, frame ${frame}`).toBeLessThan(5)
    }
  })

  it.runIf(isLong)(
    'that comes slowly nearer does so evenly over its whole place, a clip and a still, over several chunks',
    async () => {
      const square = 'drawbox=x=145:y=155:w=10:h=10:color=white:t=fill'
      ffmpeg(`-f lavfi -i color=0x808080:s=180x320:r=30:d=5 ${quick} @`, path('five.mp4'))
      ffmpeg(`-f lavfi -i color=0x20c020:s=180x320:r=30:d=5 -vf ${square} ${quick} @`, path('clip.mp4'))
      ffmpeg(`-f lavfi -i color=0x20c020:s=180x320 -vf ${square} -frames:v 1 @`, path('clip.png'))
      for (const file of ['clip.mp4', 'clip.png']) {
        const made = covering(5, 0.5, 4.5)
        const recipe = { ...made, layers: [{ ...made.layers[0]!, push: 1.3 } as Recipe['layers'][number]] }
        const { video } = await studio({ A: path('five.mp4'), B: path(file) }, `push-${file}`).done({ recipe })
        const shown = framesOf(video, size)
        for (const frame of [16, 55, 75, 105, 133]) {
          const x = Math.round(90 + 60 * (1 + (0.3 * (frame - 15)) / 120))
          expect(shown.light(frame, x, 160), `${file}, frame ${frame}`).toBeGreaterThan(200)
          expect(shown.light(frame, x - 11, 160), `${file} beside it, frame ${frame}`).toBeLessThan(190)
        }
      }
    },
  )

  it.runIf(isLong)('that is a still picture stands for as long as its place', async () => {
    ffmpeg(`-f lavfi -i color=0x808080:s=320x180:r=30:d=9 ${quick} @`, path('nine.mp4'))
    ffmpeg('-f lavfi -i color=0x20c020:s=1600x900 -frames:v 1 @', path('still.png'))
    const room = studio({ A: path('nine.mp4'), B: path('still.png') }, 'still-roll')
    const { video } = await room.done({ recipe: covering(9, 1, 8) })
    is(video, 0.9, grey)
    for (const moment of [1.1, 5.9, 7.9]) is(video, moment, green)
    is(video, 8.1, grey)
  })
})

describe('a picture that is turned', () => {
  it('has its places where the turn brings them, and no empty corner, as a passage, nearer, and as B-roll', async () => {
    // A white square 60 dots right of the middle of a grey picture.
    const square = 'drawbox=x=145:y=155:w=10:h=10:color=white:t=fill'
    ffmpeg(`-f lavfi -i color=0x808080:s=180x320:r=30:d=2.4 -vf ${square} ${quick} @`, path('square.mp4'))
    const made = keeping('A', 2400, [
      [0, 600],
      [600, 1200],
      [1200, 2400],
    ])
    const turn = 10
    const recipe: Recipe = {
      ...made,
      keep: made.keep.map((one, i) => (i < 2 ? { ...one, turn } : one)),
      moves: [
        {
          id: 'm',
          source: 's',
          start: 600,
          end: 1200,
          kind: 'push',
          scale: 1.2,
          focus: { x: 0.5, y: 0.5 },
          by: 'rule',
          why: '',
          on: true,
        },
      ],
      layers: [
        {
          id: 'b',
          kind: 'b-roll',
          assetId: 'A',
          fromMs: 0,
          focus: { x: 0.5, y: 0.5 },
          near: 1.1,
          turn: -turn,
          span: { source: 's', start: 1800, end: 2400 },
          on: true,
        },
      ],
    }
    const { video, frames } = await studio({ A: path('square.mp4') }, 'turned').done({ recipe })
    expect(frames).toBe(72)
    const shown = framesOf(video, size)
    const larger = turnedSize(size, turn)
    const placed = (degrees: number, near: number) => {
      const angle = (degrees * Math.PI) / 180
      const away = 60 * near * (larger.width / size.width)
      return [90 + away * Math.cos(angle), 160 + away * Math.sin(angle)].map(Math.round) as [number, number]
    }
    for (const [frame, degrees, near] of [
      [5, turn, 1],
      [18, turn, 1],
      [45, 0, size.width / larger.width],
      [65, -turn, 1.1],
    ] as const) {
      const [x, y] = placed(degrees, near)
      expect(shown.light(frame, x, y), `frame ${frame}`).toBeGreaterThan(200)
      if (x < 170) expect(shown.light(frame, x, y + 16), `under it, frame ${frame}`).toBeLessThan(150)
      for (const corner of [
        shown.light(frame, 1, 1),
        shown.light(frame, 178, 1),
        shown.light(frame, 1, 318),
        shown.light(frame, 178, 318),
      ])
        expect(corner, `corner, frame ${frame}`).toBeGreaterThan(110)
    }
  })
})

describe('unusual sources', () => {
  for (const turn of [90, 180, 270] as const)
    it(
      `a source rotated by ${turn} degrees is rendered upright, cropped and zoomed`,
      turn === 90 ? {} : { tags: 'long' },
      async () => {
        // A bright quarter at the upper left, as a person should see it.
        const stored = { 90: 'transpose=2', 180: 'hflip,vflip', 270: 'transpose=1' }[turn]
        const corner = 'color=0x202020:s=320x240:r=30:d=0.6,drawbox=w=iw/2:h=ih/2:c=0xe0e0e0:t=fill'
        ffmpeg(`-f lavfi -i ${corner} -vf ${stored} ${quick} @`, path(`t${turn}.mp4`))
        ffmpeg(
          `-i @ -c copy -metadata:s:v:0 rotate=${(360 - turn) % 360} @`,
          path(`t${turn}.mp4`),
          path(`turn${turn}.mp4`),
        )
        const recipe = keeping('A', 600, [[0, 300]])
        recipe.frame = { aspect: '1:1', focus: { x: 0, y: 0.5 } }
        const move = { id: 'm', source: 's', by: 'rule', why: '', on: true, start: 0, end: 400 } as const
        recipe.moves = [{ ...move, kind: 'punch-in', scale: 1.5, focus: { x: 0, y: 0 } }]
        const { video } = await studio({ A: path(`turn${turn}.mp4`) }, `turn-${turn}`).done({ recipe })
        // The left three quarters, then the upper left two thirds of them: the edges lie at 1 and at 3/4 of the frame.
        const frames = framesOf(video, { width: 180, height: 180 })
        expect(frames.count).toBe(9)
        expect(tracks(video).video).not.toHaveProperty('side_data_list')
        expect([frames.light(4, 170, 20), frames.light(4, 20, 125)].map((light) => light > 128)).toEqual([true, true])
        expect([frames.light(4, 20, 145), frames.light(4, 170, 170)].map((light) => light > 128)).toEqual([
          false,
          false,
        ])
      },
    )

  it(
    'a frame that is held for almost half a second is still shown after a cut within it',
    { tags: 'long' },
    async () => {
      const { picture } = numberedSource({ ...size, frames: 90 })
      const raw = `-f rawvideo -pix_fmt yuv420p -video_size ${size.width}x${size.height} -framerate 30 -i @`
      const hole = `-vf select='not(between(n\\,40\\,52))' -fps_mode vfr ${quick} -g 90 @`
      ffmpeg(`${raw} ${hole}`, write('h.yuv', picture), path('hole.mp4'))
      const { video } = await studio({ A: path('hole.mp4') }, 'hole').done({
        recipe: keeping('A', 3000, [[1700, 2200]]),
      })
      const shown = framesOf(video, size)
      expect([0, 1, 2, 14].map((frame) => numberOf(shown.blocks(frame)))).toEqual([39, 39, 53, 65])
    },
  )

  it(
    'an HLG source at 29.97 frames per second keeps its frame count and converts to Rec. 709',
    { tags: 'long' },
    async () => {
      const tags = '-color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc'
      ffmpeg(
        `-f lavfi -i color=0x808080:s=180x320:r=30000/1001:d=2.5,format=yuv420p10le -c:v libx265 -preset ultrafast -x265-params log-level=none:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc -tag:v hvc1 ${tags} @`,
        path('hlg.mov'),
      )
      const recipe = keeping('A', 2500, [
        [100, 1100],
        [1500, 2500],
      ])
      recipe.output.fps = { num: 30_000, den: 1001 }
      const { video, frames } = await studio({ A: path('hlg.mov') }, 'hlg').done({ recipe })
      expect(tracks(video).video).toMatchObject({
        nb_frames: `${frames}`,
        r_frame_rate: '30000/1001',
        pix_fmt: 'yuv420p',
      })
      expect(tracks(video).video).toMatchObject({ color_space: 'bt709', color_transfer: 'bt709' })
      expect(framesOf(video, size).count).toBe(frames)
    },
  )
})

describe('render chunks', () => {
  const found: Probe = {
    ok: true,
    kind: 'video',
    container: 'mov',
    mp4: false,
    bytes: 9e6,
    durationMs: 60_000,
    video: { stream: 0, codec: 'h264', ...size, rotation: 0, fps: 30, constantRate: true, ...ordinary },
    audio: null,
  }
  const chunksOfPassages = (passages: [number, number][]) =>
    plan<Grey>(keeping('A', 60_000, passages), {
      materials: new Map([['A', { hash: 'a', probe: found }]]),
      painted: { tracks: [], cards: [] },
    }).chunks

  it('are short and kept when a passage elsewhere is removed, and are encoded in few groups', () => {
    const passages = fc
      .array(fc.integer({ min: 3, max: 300 }), { minLength: 4, maxLength: 60 })
      .map((lengths) => {
        let at = 0
        return lengths.flatMap((length, i): [number, number][] => {
          const from = at
          at = Math.min(60_000, at + 20 * length)
          return i % 2 || at <= from ? [] : [[from, at]]
        })
      })
      .filter((all) => all.length > 1)
    fc.assert(
      fc.property(passages, fc.nat(), (all, which) => {
        const chunks = chunksOfPassages(all)
        for (const { frames } of chunks) expect(frames).toBeLessThanOrEqual(90)
        const before = new Set(chunks.map(({ key }) => key))
        const fewer = chunksOfPassages(all.filter((_, i) => i !== which % all.length))
        expect(fewer.filter(({ key }) => !before.has(key)).length).toBeLessThanOrEqual(2)

        const places = chunks.map((_, i) => i)
        const groups = groupsOf(chunks, places, { num: 30, den: 1 })
        expect(groups.flat()).toEqual(places)
        const framesIn = (group: number[]) => group.reduce((sum, place) => sum + chunks[place]!.frames, 0)
        for (const group of groups) expect(framesIn(group)).toBeLessThanOrEqual(270)
        // Two that follow each other are too long for one, or the way between them in the source is.
        const gaps = all.slice(1).filter(([from], i) => from - all[i]![1] >= 3900).length
        expect(groups.length).toBeLessThanOrEqual((2 * framesIn(places)) / 270 + 1 + gaps)
      }),
    )
  })

  it('of a group show the same frames as each alone', () => {
    const chunks = chunksOfPassages([
      [500, 9000],
      [9500, 12_000],
    ])
    const made = plan<Grey>(
      keeping('A', 60_000, [
        [500, 9000],
        [9500, 12_000],
      ]),
      {
        materials: new Map([['A', { hash: 'a', probe: found }]]),
        painted: { tracks: [], cards: [] },
      },
    )
    const [first] = groupsOf(chunks, [0, 1, 2, 3, 5], made.fps)
    expect(first).toEqual([0, 1, 2, 3])
    const job = { ...made, materials: new Map(made.materials) }
    const whole = encodingOf(
      job,
      first!.map((place) => made.chunks[place]!),
    )
    expect(whole).toMatchObject({ kind: 'shots', at: 0, frames: 225 })
    // One shot, as nothing parts it: read and scaled in one go.
    expect(whole.graph).toContain('trim=start_frame=15:end_frame=240')
    const args = chunkArguments(
      whole,
      { files: new Map([['A', '/a.mp4']]), bands: [], threads: 1, parts: [45, 60, 60, 60] },
      made,
    )
    expect(args.join(' ')).toContain('-force_key_frames 1.500000,3.500000,5.500000 ')
    expect(args.join(' ')).toContain('-segment_frames 45,105,165 ')
  })
})

describe('the render’s ffmpeg arguments', () => {
  it('are as reviewed', async () => {
    const recipe = keeping('A', 60_000, [
      [1000, 3000],
      [4000, 8000],
    ])
    const found: Probe = {
      ok: true,
      kind: 'video',
      container: 'mov',
      mp4: false,
      bytes: 9e7,
      durationMs: 60_000,
      video: {
        stream: 0,
        codec: 'hevc',
        width: 1080,
        height: 1920,
        rotation: 90,
        fps: 29.97,
        constantRate: false,
        pixelFormat: 'yuv420p10le',
        hdr: 'hlg',
        matrix: 'bt2020',
        alpha: false,
      },
      audio: { stream: 1, codec: 'aac', channels: 1, sampleRate: 44_100 },
    }
    const move = { source: 's', focus: null, by: 'rule', why: '', on: true } as const
    recipe.moves = [
      { id: 'p', ...move, kind: 'punch-in', start: 1000, end: 2000, scale: 1.15 },
      { id: 'q', ...move, kind: 'push', start: 5000, end: 8000, scale: 1.1 },
    ]
    recipe.joints = [{ id: 'j', source: 's', at: 3000, kind: 'crossfade', lengthMs: 400 }]
    recipe.colour = { brightness: 0.1, contrast: 0.2, saturation: -0.1, warmth: 0.3 }
    recipe.open = { on: true, lengthMs: 1000, title: '', call: '' }
    recipe.sound = { loudness: -14, peak: -1, music: { assetId: 'M', gain: -18, duck: 10, fadeOutMs: 1500 } }
    const materials = new Map([
      ['A', { hash: 'a', probe: found }],
      ['M', { hash: 'm', probe: { ...found, kind: 'audio', video: null } satisfies Probe }],
    ])
    const track = [grey('w', 30, 45, 200, box), grey('x', 45, 70, 200, box)]
    const made = plan<Grey>(recipe, { materials, painted: { tracks: [track], cards: [grey('c', 0, 30, 9, card)] } })
    const files = new Map([
      ['A', '/in/take.mov'],
      ['M', '/in/song.mp3'],
    ])
    const bands = ['band0.raw', 'band1.raw', 'band2.raw']
    for (const chunk of made.chunks) {
      expect(chunk.key).toMatch(/^[0-9a-f]{64}$/)
      const args = chunkArguments(chunk, { files, bands, threads: 1, parts: [chunk.frames] }, made)
      expect(printed(args)).toMatchSnapshot(`${chunk.kind} at ${chunk.at}`)
    }
    expect(printed(gatherArguments(made.sound, files, 1))).toMatchSnapshot('sound, measured')
    expect(
      printed(finishArguments(made.sound, { gain: 4, music: -12, pieces: [], threads: 1, out: 'a.m4a' })),
    ).toMatchSnapshot('sound')
    expect(printed(joinArguments(made, '/cache/a.m4a'))).toMatchSnapshot('joined')
  })
})

/** One option a line. */
function printed(args: string[]): string {
  const line = args.join(' ').replaceAll(/(-codec_whitelist) (\S+)/g, '$1 …')
  return line.replaceAll(/ -(?=[a-z])/g, '\n-').replaceAll(/[;\]],?(?=\[)/g, (end) => `${end}\n    `)
}

function samplesOf(file: string): Int16Array {
  ffmpeg('-i @ -vn -ac 1 -c:a pcm_s16le -f s16le @', file, path('heard.pcm'))
  return new Int16Array(new Uint8Array(readFileSync(path('heard.pcm'))).buffer)
}

function loudnessOf(file: string) {
  const log = path('loudness.txt')
  ffmpeg(`-i @ -vn -af ebur128=metadata=1:peak=true,ametadata=print:file=${log} -f null -`, file)
  return loudnessFrom(readFileSync(log, 'utf8'))
}

/** How alike each frame of two videos is: their SSIM, 1 for the same. */
function similarity(one: string, other: string): number[] {
  const log = path('ssim.txt')
  ffmpeg(`-i @ -i @ -lavfi ssim=stats_file=${log} -f null -`, one, other)
  return [...readFileSync(log, 'utf8').matchAll(/All:([\d.]+)/g)].map(([, value]) => Number(value))
}

/** How loud a stretch is, in dB of its root mean square. */
function level(file: string, from: number, seconds: number): number {
  ffmpeg(`-ss ${from} -t ${seconds} -i @ -vn -ac 1 -c:a pcm_s16le -f s16le @`, file, path('level.pcm'))
  const samples = readFileSync(path('level.pcm'))
  let sum = 0
  for (let i = 0; i < samples.length; i += 2) sum += samples.readInt16LE(i) ** 2
  return 10 * Math.log10(sum / (samples.length / 2))
}

/** How many processes work inside that folder. */
function running(folder: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`${folder}/`)
    } catch {
      return false
    }
  }).length
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 100_000
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it never came to pass')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
