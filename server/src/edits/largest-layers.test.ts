// @module-tag long
import { expect, it } from 'vitest'
import { kindsInOrder, layerKinds } from '@clear-to-post/edit/layer-kinds'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import type { Layer, Recipe, Span } from '@clear-to-post/edit/recipe'
import { lengthProblems } from '@clear-to-post/edit/render-length'
import type { Material } from '@clear-to-post/media/chunks'
import { plan } from '@clear-to-post/media/render'
import { recipeOf } from '../../../edit/test/largest.ts'
import { painting } from './painting.ts'

/**
 * What a worker plans and paints of layers at their bounds, counted. A second count of what `layerKinds` allows: each
 * number here is what one worker can hold, whatever the table says.
 */
const most = {
  /** Lower thirds and stickers in one picture that is painted. */
  painted: 22,
  /** Files that one chunk's ffmpeg reads beside its recording and its painted band. */
  inputs: 22,
  /** Branches of the sound's filters. */
  branches: 300,
  /** Lengths of the video that the sound's pieces are written in, without loss. */
  lengths: 2.5,
}

/** How layers lie: so many, each over the whole video, which is parted into so many passages. */
type Pile = { layers: number; passages: number; isAlways?: boolean }
const piles: Pile[] = [1, 2, 20, 200].flatMap((layers) => [
  ...[1, 15, 100, 300, 1000].map((passages) => ({ layers, passages })),
  { layers, passages: 1, isAlways: true },
])

const length = 14 * 60_000
const at = { x: 0.5, y: 0.5 }

/** A layer of each kind; a new kind needs a row. */
const example: { [K in Layer['kind']]: Omit<Extract<Layer, { kind: K }>, 'id' | 'span' | 'on'> } = {
  'b-roll': { kind: 'b-roll', assetId: 'film', fromMs: 0, focus: at },
  picture: { kind: 'picture', assetId: 'still', place: 'centre', size: 0.2 },
  logo: { kind: 'logo', assetId: 'still', place: 'top-right', size: 0.2 },
  'lower-third': { kind: 'lower-third', title: 'Ada', line: 'Ray', motion: 'rise' },
  sticker: { kind: 'sticker', name: 'percent', at, size: 0.2, motion: 'rise' },
  sound: { kind: 'sound', name: 'pop', gain: -6 },
  music: { kind: 'music', assetId: 'film', gain: -12, duck: 12, fadeInMs: 50, fadeOutMs: 50, fromMs: 0 },
}

/** Recordings that take turns, and words as fast as people speak from the first to the last of them. */
const piled = (kinds: readonly Layer['kind'][], { layers, passages, isAlways = false }: Pile): Recipe => {
  const base = recipeOf({ words: 'spread' }, 0.3)
  const [first] = base.sources
  const each = Math.floor(length / passages)
  const span: Span | null = isAlways ? null : { source: 'a', start: 0, end: length }
  return {
    ...base,
    sources: [first!, { ...first!, id: 'b' }],
    // Of the other recording's turn half is played: the words of the first are heard all the same.
    keep: Array.from({ length: 2 * passages }, (_, i) => ({
      ...base.keep[0]!,
      id: `k${i}`,
      source: i % 2 === 0 ? 'a' : 'b',
      start: (i >> 1) * each,
      end: (i >> 1) * each + (i % 2 === 0 ? each : 40),
    })),
    layers: kinds.flatMap((kind) =>
      Array.from({ length: layers }, (_, i) => ({ ...example[kind], id: `${kind}${i}`, span, on: true }) as Layer),
    ),
  }
}

/** The largest piles of a kind that are rendered: none is smaller than another in both ways. */
const largest = (kind: Layer['kind']): Pile[] => {
  const legal = piles.filter((pile) => lengthProblems(piled([kind], pile)).length === 0)
  return legal.filter(
    (one) =>
      !legal.some(
        (other) =>
          other !== one &&
          !other.isAlways === !one.isAlways &&
          other.layers >= one.layers &&
          other.passages >= one.passages,
      ),
  )
}

const video = { stream: 0, codec: 'h264', width: 1080, height: 1920, rotation: 0, fps: 30, constantRate: true }
const probe = {
  ok: true,
  kind: 'video',
  container: 'mov',
  durationMs: 20 * 60_000,
  video: { ...video, pixelFormat: 'yuv420p', hdr: null, matrix: 'bt709', alpha: false },
  audio: { stream: 1, codec: 'aac', channels: 2, sampleRate: 48_000 },
} as unknown as Material['probe']

const planned = async (recipe: Recipe) => {
  const materials = new Map(
    [recipe.sources[0]!.assetId, 'film', 'still'].map((id) => [id, { hash: id, probe }] as const),
  )
  const { painted } = await painting(recipe, null)
  const { chunks, sound } = plan(recipe, { materials, painted })
  const thingsOf = (what: (typeof painted.tracks)[number][number]['what']) =>
    'caption' in what ? what.caption.thirds.length + what.caption.stickers.length : 0
  const highest = (numbers: readonly number[]) => numbers.reduce((so, one) => Math.max(so, one), 0)
  return {
    painted: highest(painted.tracks.flat().map(({ what }) => thingsOf(what))),
    inputs: highest(chunks.map(({ inputs }) => inputs.filter((one) => !('band' in one)).length - 1)),
    branches: sound.pieces.length + sound.effects.length,
    lengths: sound.pieces.reduce((sum, { end }) => sum + end, 0) / sound.samples,
  }
}

const beyond = (counted: typeof most) =>
  Object.entries(counted).flatMap(([what, count]) =>
    count > most[what as keyof typeof most] ? [`${what} ${count}`] : [],
  )

it.each(kindsInOrder)(
  'layers of kind %s have a most, and at it plan and painting stay within what a worker holds',
  async (kind) => {
    const all = piled([kind], { layers: 200, passages: 1000 })
    expect(readRecipe(all).problems).toBeUndefined()
    expect(lengthProblems(all)).toMatchObject([{ where: 'layers', text: expect.stringMatching(/more than \d+ times/) }])
    const piles = largest(kind)
    expect(piles.length).toBeGreaterThan(1)
    for (const pile of piles)
      expect({ pile, beyond: beyond(await planned(piled([kind], pile))) }).toEqual({ pile, beyond: [] })
  },
)

it('layers of all kinds at their bounds together are planned and painted as what each kind may have', async () => {
  const passages = 15
  const each = (kind: Layer['kind']) => piled([kind], { passages, layers: Math.min(20, layerKinds[kind].mostAtOnce) })
  const all = { ...each('sticker'), layers: kindsInOrder.flatMap((kind) => each(kind).layers) }
  expect(readRecipe(all).problems).toBeUndefined()
  expect(lengthProblems(all)).toEqual([])
  const counted = await planned(all)
  // 20 stickers and a title; 20 pictures, 20 logos and 2 of B-roll; 15 times 20 sound effects and 2 pieces of music.
  expect(counted).toEqual({ painted: 21, inputs: 42, branches: 330, lengths: expect.closeTo(2, 1) })
})
