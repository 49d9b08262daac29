import fc from 'fast-check'
import { expect, it } from 'vitest'
import { brand, take } from '../test/take.ts'
import { acceptFocus, putPerson, removeFocus, setFramePoint, switchFocus } from './commands/picture.ts'
import { finishFindings, personUnsure } from './finish-check.ts'
import { decisionsOf, switchDecision } from './decisions.ts'
import { firstCut } from './first-cut.ts'
import { focusFor, focusOf } from './focus.ts'
import { inFrame, partSeen, positionFor } from './framing.ts'
import type { Person } from './person.ts'
import { readRecipe } from './read-recipe.ts'
import { aspects, sizeOf, wholeRecipe, type Recipe } from './recipe.ts'
import { segmentsOf } from './timeline.ts'

const wide = take(60_000, { width: 1920, height: 1080 })
const hold = (x: number, start: number, end: number) => ({ x, y: 0.4, height: 0.3, start, end })
const still: Person = { holds: [hold(0.8, 0, 59_000)], doubts: [] }
const goes: Person = { holds: [hold(0.2, 0, 29_000), hold(0.8, 31_000, 59_000)], doubts: [] }
const of = (person: Person, source = wide) =>
  firstCut({ sources: [source], words: [], silences: [], people: new Map([['a', person]]), brand, style: 1 })
const shaped = (recipe: Recipe, aspect: Recipe['frame']['aspect']) => ({
  ...recipe,
  frame: { ...recipe.frame, aspect },
})

it('every shape of frame shows the whole head wherever it is, and as near its place as the picture goes', () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.constantFrom(...aspects),
      fc.constantFrom([1920, 1080], [1080, 1920], [1440, 1080], [1000, 1000]),
      fc.double({ min: 0.05, max: 0.9, noNaN: true }),
      place,
      place,
      (aspect, [width, height], part, across, down) => {
        const picture = { width: width!, height: height! }
        const frame = sizeOf({
          frame: { aspect, focus: { x: 0.5, y: 0.5 } },
          output: wholeRecipe([wide], brand).output,
        })
        const seen = partSeen(picture, frame)
        // A head that is within the picture, and not larger than what is seen of it.
        const head = part * Math.min(seen.height, (seen.width * picture.width) / picture.height) - 0.02
        if (head <= 0) return
        const side = (0.8 * head * picture.height) / picture.width
        const at = { x: side / 2 + across * (1 - side), y: head / 2 + down * (1 - head) }
        const position = positionFor(picture, frame, at, head)
        const corner = (x: -1 | 1, y: -1 | 1) =>
          inFrame(picture, frame, position, { x: at.x + (x * side) / 2, y: at.y + (y * head) / 2 })
        for (const { x, y } of [corner(-1, -1), corner(1, 1)]) {
          expect(Math.min(x, y)).toBeGreaterThan(-1e-9)
          expect(Math.max(x, y)).toBeLessThan(1 + 1e-9)
        }
      },
    ),
  )
})

it('a person off the middle is in the middle of an upright frame, and the whole picture stays in a wide one', () => {
  const recipe = of(still)
  const [upright, square, whole] = aspects.map((aspect) => focusOf(shaped(recipe, aspect)).at('a', 100)!)
  expect(upright!.head.x).toBeCloseTo(0.5, 6)
  // At the right end of the picture: as far as it goes.
  expect(square!.position.x).toBe(1)
  expect(square!.head.x).toBeGreaterThan(0.6)
  expect(whole!).toEqual({ position: { x: 0.5, y: 0.5 }, head: { x: 0.8, y: 0.4 } })
})

it('the first cut writes each place as a decision with its reason and a switch', () => {
  const recipe = of(goes)
  expect(readRecipe(recipe).problems).toBeUndefined()
  expect(recipe.focus?.map(({ id, start, end, at, to, why }) => [id, start, end, at.x, to?.x, why])).toEqual([
    ['f1', 0, 29_000, 0.2, undefined, 'The person is left of the middle: the frame stays on the head.'],
    ['f2', 29_000, 31_000, 0.2, 0.8, 'The picture follows the person.'],
    ['f3', 31_000, 60_000, 0.8, undefined, 'The person is right of the middle: the frame stays on the head.'],
  ])
  const [first] = decisionsOf(recipe).filter(({ list }) => list === 'focus')
  const off = switchDecision(recipe, first!, false)
  expect(focusOf(off).at('a', 0)).toBeNull()
  expect(switchDecision(off, first!, true)).toEqual(recipe)
  expect(of({ holds: [], doubts: [] }).focus).toBeUndefined()
})

it('the picture stands still at a place, glides evenly to the next, and jumps only where something is cut out', () => {
  const shots = segmentsOf(of(goes)).flatMap((segment) => (segment.kind === 'shot' ? [segment] : []))
  expect(shots.map(({ frames }) => frames)).toEqual([870, 60, 870])
  const [here, way, there] = shots.map(({ shot }) => shot.focus!)
  expect(here!.from).toEqual(here!.to)
  expect(way).toEqual({ from: here!.to, to: there!.from })
  expect(there!.from).toEqual(there!.to)
  // The same in pieces: where a stretch is split, its halves meet.
  const parts = segmentsOf(of(goes), { longest: 20 }).flatMap((one) => (one.kind === 'shot' ? [one.shot.focus!] : []))
  parts.slice(1).forEach((part, i) => expect(part.from.x).toBeCloseTo(parts[i]!.to.x, 6))
  const cut = { source: 'a', start: 28_500, end: 31_500, on: true }
  expect(focusFor(wide, goes, [cut]).map(({ start, end, to }) => [start, end, to])).toEqual([
    [0, 30_000, undefined],
    [30_000, 60_000, undefined],
  ])
})

it('a move without a point of its own comes nearer to the head', () => {
  const recipe = of(still)
  recipe.moves = [
    {
      id: 'm',
      source: 'a',
      start: 1000,
      end: 3000,
      kind: 'punch-in',
      scale: 1.2,
      focus: null,
      by: 'rule',
      why: '',
      on: true,
    },
  ]
  const near = (one: Recipe) =>
    segmentsOf(one).flatMap((part) => (part.kind === 'shot' ? (part.shot.zoom ?? []) : []))[0]
  expect(near(recipe)!.focus).toEqual(focusOf(recipe).at('a', 40)!.head)
  recipe.moves[0]!.focus = { x: 0.1, y: 0.2 }
  expect(near(recipe)!.focus).toEqual({ x: 0.1, y: 0.2 })
  const { focus: _, ...bare } = { ...recipe, moves: [{ ...recipe.moves[0]!, focus: null }] }
  expect(near(bare)!.focus).toEqual(bare.frame.focus)
})

const two: Person = { ...still, doubts: [{ start: 0, end: 60_000, kind: 'two' }] }
const lost: Person = { ...still, doubts: [{ start: 20_000, end: 30_000, kind: 'lost' }] }
const seldom: Person = { holds: [], doubts: [{ start: 0, end: 60_000, kind: 'seldom' }] }

it('where nobody is sure the question is the first finding, at its place, until a person answers', () => {
  for (const [person, frame] of [
    [two, 0],
    [lost, 600],
    [seldom, 0],
  ] as const) {
    const recipe = of(person)
    expect(finishFindings(recipe)[0]).toEqual({ kind: 'person', frames: [frame] })
    const answers = [
      putPerson('a', { x: 0.3, y: 0.4 }),
      acceptFocus,
      setFramePoint({ x: 0.2 }),
      switchFocus(recipe.focus!.find(({ unsure }) => unsure)!.id, true),
    ]
    for (const answer of answers) expect(personUnsure(answer(recipe))).toEqual([])
  }
  expect(personUnsure(of(still))).toEqual([])
  // A frame of the picture's own shape cuts nothing away.
  expect(personUnsure(shaped(of(two), '16:9'))).toEqual([])
  expect(personUnsure(of(two, take(60_000)))).toEqual([])
})

it('one answer counts for all passages of its recording, before what a rule found, and can be moved and taken back', () => {
  const recipe = of(goes)
  const put = putPerson('a', { x: 0.4, y: 0.5 })(recipe)
  expect(readRecipe(put).problems).toBeUndefined()
  for (const frame of [0, 900, 1700]) expect(focusOf(put).at('a', frame)).toEqual(focusOf(put).at('a', 0))
  const moved = putPerson('a', { x: 2, y: -1 })(put)
  expect(moved.focus).toHaveLength(put.focus!.length)
  expect(moved.focus!.at(-1)).toMatchObject({ at: { x: 1, y: 0 }, by: 'person', start: 0, end: 60_000 })
  expect(removeFocus(moved.focus!.at(-1)!.id)(moved)).toEqual(recipe)
  expect(putPerson('nobody', { x: 0, y: 0 })(recipe)).toBe(recipe)
})

it('the frame’s own point, set by hand, comes before what a rule found', () => {
  const own = setFramePoint({ x: 0.1 })(of(still))
  expect(own.frame.focus).toEqual({ x: 0.1, y: 0.4 })
  expect(focusOf(own).at('a', 0)).toBeNull()
})
