import { expect, it } from 'vitest'
import { captionStyles, captionStyleValues } from '@clear-to-post/domain/captions'
import { brand, take } from '../test/take.ts'
import { moveWords } from './commands/order.ts'
import { differenceOf } from './difference.ts'
import { switchDecision } from './decisions.ts'
import { firstCut } from './first-cut.ts'
import { Recipe } from './read-recipe.ts'

const recipe = firstCut({
  sources: [take(9000)],
  words: ['That', 'saves', 'um', 'thirty', 'dollars'].map((text, i) => ({
    id: `w${i}`,
    source: 'a',
    text,
    start: 1000 + i * 500,
    end: 1400 + i * 500,
    confidence: 1,
    origin: 'script' as const,
  })),
  silences: [{ source: 'a', start: 3500, end: 9000 }],
  brand,
  style: 1,
})

it('an unchanged recipe has no differences', () => {
  expect(differenceOf(recipe, structuredClone(recipe))).toEqual([])
})

it('words that are played elsewhere are another order, however many passages that takes', () => {
  const moved = moveWords(['w3', 'w4'], 'w0')(recipe)
  expect(moved.keep.length).toBeGreaterThan(recipe.keep.length)
  expect(differenceOf(recipe, moved)).toEqual(['The passages are in another order.'])
})

it('differences between recipes are described in words', () => {
  const other = switchDecision(structuredClone(recipe), { list: 'removed', id: recipe.removed[0]!.id }, false)
  other.captions.style = 3
  other.captions.overrides = { w3: { text: '30' } }
  other.sound.loudness = -16
  expect(differenceOf(recipe, other)).toEqual([
    'The video is 0.4 s longer: 0:06.',
    'Put back: the filler “um” at 0:02.',
    '“thirty” is “30”.',
    'Captions are “Two Lines + Emojis” instead of “One Line”.',
    'The loudness is -16 LUFS instead of -14.',
  ])
  for (const style of captionStyleValues)
    expect(differenceOf(other, { ...other, captions: { ...other.captions, style } })).toEqual(
      style === 3 ? [] : [`Captions are “${captionStyles[style].label}” instead of “Two Lines + Emojis”.`],
    )
})

const personAt = (x: number) =>
  ({
    id: 'f1',
    source: 'a',
    start: 0,
    end: 9000,
    at: { x, y: 0.4 },
    by: 'person',
    why: 'Set by hand.',
    on: true,
  }) as const

it('another place of the person is noticed, and named once', () => {
  const [one, other] = [0.3, 0.7].map((x) => ({ ...recipe, focus: [personAt(x)] })) as [Recipe, Recipe]
  expect(differenceOf(one, other)).toEqual(['The frame is put on the person at another place.'])
  expect(differenceOf(recipe, one)).toEqual(['Added: the frame on the person “That saves um thirty dollars” at 0:00.'])
})

it('a change in any part of a recipe is noticed', () => {
  const changes: Record<Exclude<keyof Recipe, 'version' | 'unsaid' | 'flaws'>, (one: Recipe) => void> = {
    sources: (one) => (one.sources[0]!.assetId = 'y'),
    keep: (one) => (one.keep[0]!.end = 8990),
    removed: (one) => (one.removed = []),
    words: (one) => (one.words[0]!.start += 5),
    captions: (one) => (one.captions.position = 0.3),
    translation: (one) => (one.translation = { language: 'es', inPicture: false, lines: {} }),
    moves: (one) => (one.moves[0]!.on = false),
    focus: (one) => (one.focus = [personAt(0.7)]),
    joints: (one) => (one.joints = [{ id: 'j', source: 'a', at: 10, kind: 'crossfade', lengthMs: 200 }]),
    layers: (one) =>
      (one.layers = [{ id: 'l', kind: 'logo', assetId: 'z', place: 'top-left', size: 0.1, span: null, on: true }]),
    brand: (one) => (one.brand.name = 'Bo'),
    open: (one) => (one.open = { on: true, lengthMs: 10, title: 'x', call: '' }),
    close: (one) => (one.close!.title = 'x'),
    sound: (one) => (one.sound.music = { assetId: 'm', gain: -20, duck: 10, fadeOutMs: 500 }),
    colour: (one) => (one.colour.warmth = 0.2),
    frame: (one) => (one.frame.aspect = '1:1'),
    output: (one) => (one.output.shortSide = 720),
  }
  for (const [part, change] of Object.entries(changes)) {
    const other = structuredClone(recipe)
    change(other)
    expect([part, differenceOf(recipe, other).length > 0]).toEqual([part, true])
  }
})
