import { expect, it } from 'vitest'
import { wholeRecipe, type Recipe } from './recipe.ts'
import { readRecipe } from './read-recipe.ts'
import { lengthProblems, longest, mostRenderingMs } from './render-length.ts'

const minute = 60_000
const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: 'Ana', line: '', legal: '' }
const take = {
  id: 's1',
  assetId: 'a1',
  name: 'take.mov',
  width: 1080,
  height: 1920,
  fps: { num: 30, den: 1 },
  hasSound: true,
}
const recipe = (minutes: number, more: Partial<Recipe> = {}): Recipe => ({
  ...wholeRecipe([{ ...take, durationMs: minutes * minute }], brand),
  ...more,
})
const card = (lengthMs: number) => ({ on: true, lengthMs, title: 'x', call: 'y' })

it('a finished video of 15 minutes with cards of 30 seconds is rendered, and a longer one is not', () => {
  expect(lengthProblems(recipe(15))).toEqual([])
  expect(lengthProblems(recipe(14, { open: card(30_000), close: card(30_000) }))).toEqual([])
  expect(lengthProblems(recipe(16))).toEqual([
    {
      where: 'keep',
      text: 'The finished video would be 16 min long. 15 min is the most: cut more out before you render.',
    },
  ])
})

it('a passage that is repeated counts as often as it is played', () => {
  const one = recipe(1)
  const keep = Array.from({ length: 2000 }, (_, i) => ({ ...one.keep[0]!, id: `k${i}` }))
  expect(lengthProblems({ ...one, keep })).toMatchObject([{ where: 'keep' }])
})

it('a card that stands for hours is not rendered, and one that is switched off is none', () => {
  const close = card(4 * 60 * minute)
  expect(lengthProblems(recipe(1, { close })).map(({ where }) => where)).toEqual(['close', 'keep'])
  expect(lengthProblems(recipe(1, { close }))[0]!.text).toBe(
    'The closing card stands 240 min. A card may stand 30 s at most: shorten it.',
  )
  expect(lengthProblems(recipe(1, { open: { ...close, on: false } }))).toEqual([])
})

it('a rate of thousands of pictures a second is not rendered', () => {
  const output = { shortSide: 1080, fps: { num: 240_000, den: 1 } }
  expect(lengthProblems(recipe(1, { output }))).toMatchObject([{ where: 'output' }])
})

it('an edit that is too long to be rendered can still be read', () => {
  const long = recipe(40, { close: card(longest.cardMs + 1) })
  expect(readRecipe(long).problems).toBeUndefined()
})

it('a render may take longer the longer and larger its video is', () => {
  const output = { shortSide: 2160, fps: { num: 30, den: 1 } }
  const times = [recipe(1), recipe(2), recipe(2, { output })].map(mostRenderingMs)
  expect(times).toEqual([30 * minute, 50 * minute, 170 * minute])
})

it('music and sound effects that would be heard again and again are too much to render', () => {
  const span = { source: 's1', start: 0, end: minute }
  const whole = recipe(1)
  const other = { ...take, id: 's2', durationMs: minute }
  // Each passage is parted from the next by one of the other source.
  const parted = (passages: number, layers: Recipe['layers']): Recipe => ({
    ...whole,
    sources: [...whole.sources, other],
    keep: Array.from({ length: 2 * passages }, (_, i) => ({
      ...whole.keep[0]!,
      id: `k${i}`,
      source: i % 2 === 0 ? 's1' : 's2',
      start: i * 200,
      end: i * 200 + 200,
    })),
    layers,
  })
  const effect = { id: 'e1', kind: 'sound', name: 'pop', gain: -6, span, on: true } as const
  const music = {
    id: 'u1',
    kind: 'music',
    assetId: 'a2',
    gain: -12,
    duck: 12,
    fadeInMs: 500,
    fadeOutMs: 500,
    fromMs: 0,
    span,
    on: true,
  } as Recipe['layers'][number]
  expect(lengthProblems(parted(100, [effect, music]))).toEqual([])
  expect(lengthProblems(parted(101, [music]))).toMatchObject([{ text: expect.stringMatching(/more than 100 times/) }])
  expect(lengthProblems(parted(101, [{ ...music, on: false }]))).toEqual([])
  const effects = Array.from({ length: 4 }, (_, i) => ({ ...effect, id: `e${i}` }))
  expect(lengthProblems(parted(100, effects))).toMatchObject([{ text: expect.stringMatching(/more than 300 times/) }])
})

it('stickers that lie over each other are too much to render beyond twenty, and pieces of music beyond two', () => {
  const span = { source: 's1', start: 0, end: minute }
  const sticker = { kind: 'sticker', name: 'tick', at: { x: 0.5, y: 0.5 }, size: 0.2, on: true } as const
  const stickers = (count: number, of: typeof span | null) =>
    Array.from({ length: count }, (_, i) => ({ ...sticker, id: `s${i}`, span: of }))
  const text = 'Stickers would be seen more than 20 at once. Take some out, or give them other places.'
  for (const of of [span, null]) {
    expect(lengthProblems(recipe(1, { layers: stickers(20, of) }))).toEqual([])
    expect(lengthProblems(recipe(1, { layers: stickers(21, of) }))).toEqual([{ where: 'layers', text }])
  }
  const oneAfterTheOther = stickers(200, span).map((one, i) => ({
    ...one,
    span: { ...span, start: i * 300, end: i * 300 + 300 },
  }))
  expect(lengthProblems(recipe(1, { layers: oneAfterTheOther }))).toEqual([])
  const quiet = { gain: -12, duck: 12, fadeInMs: 500, fadeOutMs: 500, fromMs: 0 }
  const music = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: `u${i}`,
      kind: 'music' as const,
      assetId: 'm',
      ...quiet,
      span,
      on: true,
    }))
  expect(lengthProblems(recipe(1, { layers: music(2) }))).toEqual([])
  expect(lengthProblems(recipe(1, { layers: music(3) }))).toMatchObject([{ text: expect.stringMatching(/2 at once/) }])
})
