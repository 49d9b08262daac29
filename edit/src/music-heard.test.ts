import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { moveLayer, removeLayer, setLayerEdge } from './commands/layers.ts'
import { addMusicPiece, musicLayersOf, setMusicPiece } from './commands/music.ts'
import { musicAt, musicHeard, pieceFade, restAt } from './music-heard.ts'
import { readRecipe } from './read-recipe.ts'
import { wholeRecipe, type Recipe } from './recipe.ts'
import { timelineOf } from './timeline.ts'

const bare = wholeRecipe([take(60_000)], brand)
const music = { assetId: 'bed', gain: -14, duck: 10, fadeOutMs: 2000 }
const recipe: Recipe = { ...bare, sound: { ...bare.sound, music } }
const span = (start: number, end: number) => ({ source: 'a', start, end })
const heard = (one: Recipe) => musicHeard(one, timelineOf(one), () => 30)

test('a recipe of before has its one piece under the whole video, as it was', () => {
  const [only, ...more] = heard(recipe)
  expect(more).toEqual([])
  expect(only).toEqual({
    id: null,
    assetId: 'bed',
    at: 0,
    end: 60,
    starts: 0,
    loops: true,
    gain: -14,
    duck: 10,
    fadeIn: 0,
    fadeOut: 2,
  })
  expect([0, 30, 59, 60].map((at) => musicAt(only!, [only!], [], at))).toEqual([1, 1, 0.5, 0])
})

test('a piece with a place of its own is heard there, and the music under the video rests meanwhile', () => {
  const two = addMusicPiece('song', span(20_000, 22_000))(recipe)
  // Long enough to be heard as music, and as loud as what it takes the place of.
  expect(musicLayersOf(two)).toMatchObject([{ gain: -14, duck: 10, span: span(20_000, 30_000) }])
  const all = heard(two)
  const [bed, piece] = all as [(typeof all)[0], (typeof all)[0]]
  expect(piece).toMatchObject({ assetId: 'song', at: 20, end: 30, starts: 0, fadeIn: 1, fadeOut: 1 })
  // One goes over into the other: together they are always one.
  for (const at of [10, 20, 20.25, 20.5, 25, 29.75, 30, 40])
    expect(restAt(all, at) + pieceFade(piece, at), `at ${at} s`).toBeCloseTo(1, 6)
  expect(musicAt(bed, all, [], 25)).toBe(0)
  expect(musicAt(bed, all, [[0, 60]], 10)).toBeCloseTo(10 ** (-10 / 20), 6)
  expect(heard(removeLayer('u1')(two))).toEqual(heard(recipe))
})

test('pieces never lie over each other; where one begins as another ends, they go over into each other', () => {
  const first = addMusicPiece('one', span(5000, 20_000))(bare)
  const two = addMusicPiece('two', span(12_000, 25_000))(first)
  expect(musicLayersOf(two).map((layer) => layer.span)).toEqual([span(5000, 12_000), span(12_000, 25_000)])
  const [one, other] = heard(two) as [ReturnType<typeof heard>[0], ReturnType<typeof heard>[0]]
  expect([one.end, one.fadeOut, other.at]).toEqual([13, 1, 12])
  expect(pieceFade(one, 12.5) + pieceFade(other, 12.5)).toBeCloseTo(1, 6)
  const apart = setLayerEdge('u2', 'from', 420)(two)
  expect(heard(apart).map(({ at, end }) => [at, end])).toEqual([
    [5, 12],
    [14, 25],
  ])
  // It stops at its neighbour.
  expect(moveLayer('u2', -100)(apart)).toBe(apart)
})

test('a piece whose passage is parted goes on where it was, and one that is cut out is not heard', () => {
  const one = addMusicPiece('song', span(10_000, 30_000))(bare)
  const parted: Recipe = {
    ...one,
    keep: [
      { id: 'k1', source: 'a', start: 0, end: 15_000 },
      { id: 'k2', source: 'a', start: 40_000, end: 50_000 },
      { id: 'k3', source: 'a', start: 15_000, end: 35_000 },
    ],
  }
  expect(heard(parted)).toMatchObject([
    { at: 10, end: 15, starts: 0, fadeIn: 1, fadeOut: 0.03 },
    { at: 25, end: 40, starts: 5, fadeIn: 0.03, fadeOut: 1 },
  ])
  const removed = [
    { ...span(9000, 31_000), id: 'r', reason: 'by-hand' as const, by: 'person' as const, why: '', on: true },
  ]
  expect(heard({ ...one, removed })).toEqual([])
})

test('no setting of a piece leaves what a recipe holds', () => {
  const one = addMusicPiece('song', span(59_000, 59_500))(bare)
  expect(musicLayersOf(one)[0]!.span).toEqual(span(59_000, 60_000))
  const set = setMusicPiece('u1', { gain: 99, duck: -5, fadeInMs: 1e9, fadeOutMs: -1, fromMs: 12.4 })(one)
  expect(musicLayersOf(set)[0]).toMatchObject({ gain: 0, duck: 0, fadeInMs: 5000, fadeOutMs: 0, fromMs: 12 })
  expect(readRecipe(structuredClone(set)).problems).toBeUndefined()
  // Longer fades than half of its place become shorter.
  expect(heard(set)[0]).toMatchObject({ fadeIn: 0.5, fadeOut: 0.03 })
  expect(setMusicPiece('u1', { gain: 0 })(set)).toBe(set)
})
