import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { applyLook, lookOf, withStyle } from './look.ts'
import { Look } from './read-look.ts'
import { readRecipe } from './read-recipe.ts'
import { wholeRecipe, type Move, type Recipe } from './recipe.ts'

const source = take(20_000, { id: 's1', assetId: 'a1' })
const move = (id: string, part: Partial<Move>): Move => ({
  id,
  kind: 'punch-in',
  source: 's1',
  start: 0,
  end: 1000,
  scale: 1.15,
  focus: null,
  by: 'rule',
  why: 'A number.',
  on: true,
  ...part,
})
const bare: Recipe = {
  ...wholeRecipe([source], brand),
  moves: [move('m1', {}), move('m2', { by: 'person', why: 'Set by hand.' }), move('m3', { kind: 'push', scale: 1.1 })],
  close: { on: true, lengthMs: 3000, title: 'Rates this week', call: 'Call me.' },
}
const styled: Recipe = {
  ...bare,
  captions: {
    ...bare.captions,
    style: 2,
    position: 0.7,
    size: 1.2,
    colour: '#ff0000',
    overrides: { w1: { text: 'x' } },
  },
  open: { on: true, lengthMs: 1500, title: 'Hello', call: '' },
  close: { on: true, lengthMs: 4000, title: 'Another title', call: 'Book a call.' },
  sound: { loudness: -16, peak: -1, clean: true, music: { assetId: 'song', gain: -18, duck: 9, fadeOutMs: 800 } },
  colour: { brightness: 0.1, contrast: 0.2, saturation: 0, warmth: 0.3 },
  moves: [move('m1', { scale: 1.3 }), move('m2', { kind: 'push', on: false })],
}
const any = () => true

test('a look has what is taste, is valid as it is saved, and gives it to another edit in one valid step', () => {
  const look = lookOf(styled)
  expect(Look.parse(look)).toEqual(look)
  expect(JSON.stringify(look)).not.toMatch(/title|overrides|w1/)
  const next = applyLook(look, any)(bare)
  expect(readRecipe(next).problems).toBeUndefined()
  expect(lookOf(next)).toEqual({ ...look, moves: { 'punch-in': 1.3, push: null } })
  expect(next.captions).toMatchObject({ style: 2, position: 0.7, size: 1.2, colour: '#ff0000', overrides: {} })
  expect(next.close).toEqual({ on: true, lengthMs: 4000, title: 'Rates this week', call: 'Book a call.' })
  expect(next.open).toEqual({ on: true, lengthMs: 1500, title: '', call: '' })
  // A move that a person set stays as it was set.
  expect(next.moves.map(({ scale, on }) => [scale, on])).toEqual([
    [1.3, true],
    [1.15, true],
    [1.1, false],
  ])
  // What was said and cut is not touched.
  expect([next.keep, next.words, next.removed, next.sources]).toEqual([
    bare.keep,
    bare.words,
    bare.removed,
    bare.sources,
  ])
})

test('an edit that has the look already stays the same object, whatever order its keys came in', () => {
  const next = applyLook(lookOf(styled), any)(bare)
  expect(applyLook(lookOf(styled), any)(next)).toBe(next)
  const turned = { ...next, captions: Object.fromEntries(Object.entries(next.captions).toReversed()) } as Recipe
  expect(applyLook(lookOf(styled), any)(turned)).toBe(turned)
})

test('music that the project does not have is left out, and its levels go to the music that is there', () => {
  expect(applyLook(lookOf(styled), () => false)(bare).sound).toEqual({
    loudness: -16,
    peak: -1,
    clean: true,
    music: null,
  })
  const own = { assetId: 'own', gain: -10, duck: 5, fadeOutMs: 100, fromMs: 3000 }
  const next = applyLook(lookOf(styled), () => false)({ ...bare, sound: { ...bare.sound, music: own } })
  expect(next.sound.music).toEqual({ assetId: 'own', gain: -18, duck: 9, fadeOutMs: 800, fromMs: 3000 })
})

test('a look without something takes it away: cards are switched off, the clean voice too', () => {
  const next = applyLook({ ...lookOf(bare), close: null }, any)(styled)
  expect(next.close).toEqual({ ...styled.close, on: false })
  expect(next.open).toEqual({ ...styled.open, on: false })
  expect(next.sound.clean).toBeUndefined()
  expect(next.sound.music).toBeNull()
})

test('the next first cut keeps the caption style that was asked for, and drops what was set for another one', () => {
  const look = lookOf(styled)
  expect(withStyle(look, 2)).toBe(look)
  expect(withStyle(look, 3).captions).toEqual({ on: true, style: 3, position: null, size: 1, colour: '#ff0000' })
})
