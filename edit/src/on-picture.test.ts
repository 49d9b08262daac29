import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { addMove, punchInAt, setMove } from './commands/picture.ts'
import { focusOfPart, moveAt, partOfMove, placeAt, placeTowards } from './on-picture.ts'
import { readRecipe } from './read-recipe.ts'
import { layerPlaces, wholeRecipe } from './recipe.ts'
import { timelineOf } from './timeline.ts'

const recipe = wholeRecipe([take(6000)], brand)
const near = addMove('punch-in', { source: 'a', start: 1000, end: 3000 })(recipe)

test('the part of the frame that a move shows leads back to where it is pointed', () => {
  expect(partOfMove(2, { x: 0.5, y: 0 })).toEqual({ x: 0.25, y: 0, width: 0.5, height: 0.5 })
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.double({ min: 1.02, max: 2, noNaN: true }), part, part, (scale, x, y) => {
      const shown = partOfMove(scale, { x, y })
      expect(shown.x + shown.width).toBeLessThanOrEqual(1 + 1e-9)
      const focus = focusOfPart(scale, shown, { x: 0, y: 0 })
      expect(focus.x).toBeCloseTo(x, 6)
      expect(focus.y).toBeCloseTo(y, 6)
    }),
  )
  // Drawn out of the frame it stays at its edge; one that shows all of it keeps its point.
  expect(focusOfPart(1.5, { x: -1, y: 9 }, { x: 0.5, y: 0.5 })).toEqual({ x: 0, y: 1 })
  expect(focusOfPart(1, { x: 0.3, y: 0.3 }, { x: 0.5, y: 0.4 })).toEqual({ x: 0.5, y: 0.4 })
})

test('size and point of a move are set within their bounds, and its span and reason stay', () => {
  const [{ id }] = near.moves as [(typeof near.moves)[0]]
  const set = setMove(id, { scale: 1.4, focus: { x: 0.2, y: 1.3 } })(near)
  expect(set.moves).toEqual([{ ...near.moves[0], scale: 1.4, focus: { x: 0.2, y: 1 } }])
  expect(setMove(id, { scale: 9 })(near).moves[0]!.scale).toBe(2)
  expect(setMove(id, { scale: 1.4, focus: { x: 0.2, y: 1 } })(set)).toBe(set)
  expect(setMove('nobody', { scale: 1.4 })(near)).toBe(near)
  expect(readRecipe(structuredClone(set)).problems).toBeUndefined()
})

test('the move under a frame is the later one of two, and none where it is switched off', () => {
  const timeline = timelineOf(near)
  const over = addMove('push', { source: 'a', start: 2000, end: 4000 })(near)
  expect([20, 30, 89, 90].map((frame) => moveAt(near, timeline, frame)?.kind)).toEqual([
    undefined,
    'punch-in',
    'punch-in',
    undefined,
  ])
  expect(moveAt(over, timeline, 70)?.kind).toBe('push')
  // Over a passage without one it is added, for as long as the passage lasts.
  const added = punchInAt(100)(recipe)
  expect(added.moves).toMatchObject([{ kind: 'punch-in', source: 'a', start: 0, end: 6000, by: 'person' }])
  expect(punchInAt(9999)(recipe)).toBe(recipe)
  expect(moveAt({ ...near, moves: near.moves.map((move) => ({ ...move, on: false })) }, timeline, 40)).toBe(null)
})

test('a picture that is dropped takes the nearest place, and arrows lead to every place but the middle', () => {
  expect(placeAt({ x: 0.5, y: 0.55 })).toBe('centre')
  expect(placeAt({ x: 0.2, y: 0.55 })).toBe('bottom-left')
  expect(placeAt({ x: 0.9, y: 0.1 })).toBe('top-right')
  expect(placeTowards('top-left', 'bottom')).toBe('bottom-left')
  expect(placeTowards('top-left', 'left')).toBe('top-left')
  const reached = new Set(
    layerPlaces.flatMap((place) =>
      (['left', 'right', 'top', 'bottom'] as const).map((side) => placeTowards(place, side)),
    ),
  )
  expect([...reached].toSorted()).toEqual(layerPlaces.filter((place) => place !== 'centre').toSorted())
})
