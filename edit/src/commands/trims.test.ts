import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passagesOf } from '../passages.ts'
import { readRecipe } from '../read-recipe.ts'
import { wholeRecipe, type Recipe, type Removed } from '../recipe.ts'
import { isOut } from '../removals.ts'
import { segmentsOf, shownAt, spokenWords, timelineOf } from '../timeline.ts'
import { cutStretch, cutWords, restoreWords, switchRemoval } from './cuts.ts'
import { pieceReach, removePiece, rollJoint, setPieceEdge, slipPiece, splitAt, trimTo, wordAcross } from './trims.ts'

const source = (id: string, durationMs: number) => ({
  id,
  assetId: `asset-${id}`,
  name: `${id}.mov`,
  durationMs,
  width: 1080,
  height: 1920,
  fps: { num: 30, den: 1 },
  hasSound: true,
})
const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: 'Ana', line: '', legal: '' }
const wordsOf = (id: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `${id}-w${i}`,
    source: id,
    start: 400 + i * 400,
    end: 700 + i * 400,
    text: `word${i}`,
    confidence: 0.9,
    origin: 'script' as const,
  }))
const removal = (part: Partial<Removed>): Removed => ({
  id: 'r1',
  source: 's1',
  start: 2000,
  end: 4000,
  reason: 'silence',
  by: 'rule',
  why: 'Silence of 2.0 s.',
  on: true,
  ...part,
})
/** Ten seconds at 30 frames a second: frames 0–60 and 120–300 are seen, in one keep. */
const recipe: Recipe = {
  ...wholeRecipe([source('s1', 10_000)], brand),
  words: wordsOf('s1', 22),
  removed: [removal({})],
}
const piecesOf = (one: Recipe) => timelineOf(one).pieces.map(({ from, to }) => [from, to])
const heard = (one: Recipe) => spokenWords(one).map(({ word }) => word.id)

test('a split parts a passage and changes nothing that is seen', () => {
  const split = splitAt(30)(recipe)
  expect(piecesOf(split)).toEqual([
    [0, 30],
    [30, 60],
    [120, 300],
  ])
  expect(timelineOf(split).frames).toBe(timelineOf(recipe).frames)
  expect(heard(split)).toEqual(heard(recipe))
  // Where a passage begins there is nothing to part.
  expect(splitAt(60)(recipe)).toBe(recipe)
  expect(splitAt(30)(split)).toBe(split)
  expect(splitAt(900)(recipe)).toBe(recipe)
})

test('an end is trimmed and given back to the frame, and the words follow in the transcript', () => {
  const shorter = setPieceEdge(0, 'to', 45)(recipe)
  expect(piecesOf(shorter)).toEqual([
    [0, 45],
    [120, 300],
  ])
  expect(timelineOf(shorter).frames).toBe(timelineOf(recipe).frames - 15)
  const lost = recipe.words.filter((word) => !isOut(recipe, word) && isOut(shorter, word)).map(({ id }) => id)
  expect(lost).toEqual(['s1-w3'])
  expect(heard(shorter)).toEqual(heard(recipe).filter((id) => id !== 's1-w3'))
  // Trims in a row are one cut, and giving all of it back leaves nothing of it.
  const shortest = setPieceEdge(0, 'to', 30)(shorter)
  expect(shortest.removed.filter(({ by }) => by === 'person')).toHaveLength(1)
  expect(setPieceEdge(0, 'to', 60)(shortest)).toEqual(recipe)
})

test('an end that is moved out takes from the rule’s cut, which keeps its switch', () => {
  const longer = setPieceEdge(1, 'from', 100)(recipe)
  expect(piecesOf(longer)).toEqual([
    [0, 60],
    [100, 300],
  ])
  expect(longer.removed).toEqual([removal({ end: 3333 })])
  // Up to the passage before it; the cut between them stays as a split.
  const closed = setPieceEdge(1, 'from', 0)(recipe)
  expect(piecesOf(closed)).toEqual([
    [0, 60],
    [60, 300],
  ])
  expect(closed.removed).toEqual([removal({ on: false })])
  expect(pieceReach(closed, timelineOf(closed), 1, 'from')).toEqual({ from: 60, to: 299 })
})

test('a trim to the playhead takes the passage’s begin or its end away', () => {
  expect(piecesOf(trimTo('from', 90)(recipe))).toEqual([
    [0, 60],
    [150, 300],
  ])
  expect(piecesOf(trimTo('to', 90)(recipe))).toEqual([
    [0, 60],
    [120, 150],
  ])
  expect(trimTo('to', 60)(recipe)).toBe(recipe)
  expect(trimTo('from', 60)(recipe)).toBe(recipe)
})

test('a joint that is rolled keeps the length, and stops where one side has no more', () => {
  expect(piecesOf(rollJoint(0, 10)(recipe))).toEqual([
    [0, 70],
    [130, 300],
  ])
  expect(piecesOf(rollJoint(0, -70)(recipe))).toEqual([
    [0, 1],
    [61, 300],
  ])
  const split = splitAt(30)(recipe)
  expect(piecesOf(rollJoint(0, 10)(split))).toEqual([
    [0, 40],
    [40, 60],
    [120, 300],
  ])
  expect(rollJoint(0, 10)(split).keep.map(({ start, end }) => [start, end])).toEqual([
    [0, 1333],
    [1333, 10_000],
  ])
  expect(rollJoint(1, 5)(recipe)).toBe(recipe)
})

test('a crossfade goes along with the ends that it joins', () => {
  const faded = { ...recipe, joints: [{ id: 'j1', source: 's1', at: 2000, kind: 'crossfade' as const, lengthMs: 200 }] }
  for (const command of [
    setPieceEdge(0, 'to', 75),
    setPieceEdge(0, 'to', 40),
    setPieceEdge(1, 'from', 60),
    rollJoint(0, 30),
  ])
    expect(timelineOf(command(faded)).pieces[1]!.fadeIn).toBe(6)
})

test('a passage is taken out whole, and the last one stays', () => {
  const gone = removePiece(0)(recipe)
  expect(piecesOf(gone)).toEqual([[120, 300]])
  expect(removePiece(0)(gone)).toBe(gone)
  expect(restoreWords(heard(recipe).slice(0, 4))(gone)).not.toBe(gone)
})

test('a cut is seen to go through a word, but not beside it', () => {
  expect(wordAcross(recipe, 's1', 17)?.id).toBe('s1-w0')
  expect(wordAcross(recipe, 's1', 12)).toBe(null)
  expect(wordAcross(recipe, 's1', 22)).toBe(null)
})

/** Takes with several recordings and keeps in any order, cuts of rules and of people over each other, crossfades and cards. */
const recipes = fc
  .record({
    rate: fc.constantFrom(
      { num: 30, den: 1 },
      { num: 30_000, den: 1001 },
      { num: 25, den: 1 },
      { num: 24_000, den: 1001 },
    ),
    lengths: fc.array(fc.integer({ min: 3000, max: 12_011 }), { minLength: 1, maxLength: 2 }),
    borders: fc.array(fc.tuple(fc.nat(1), fc.integer({ min: 200, max: 11_000 })), { maxLength: 4 }),
    order: fc.array(fc.nat(10), { minLength: 8, maxLength: 8 }),
    cuts: fc.array(fc.tuple(fc.nat(1), fc.nat(11_000), fc.integer({ min: 1, max: 2500 }), fc.boolean(), fc.boolean()), {
      maxLength: 6,
    }),
    fades: fc.array(fc.tuple(fc.nat(1), fc.nat(11_000), fc.integer({ min: 0, max: 900 })), { maxLength: 3 }),
    card: fc.boolean(),
  })
  .map(({ rate, lengths, borders, order, cuts, fades, card }): Recipe => {
    const sources = lengths.map((ms, i) => source(`s${i + 1}`, ms))
    const of = (i: number) => sources[i % sources.length]!
    const keep = sources
      .flatMap(({ id, durationMs }) => {
        const inside = borders.filter(([i, at]) => of(i).id === id && at < durationMs).map(([, at]) => at)
        const points = [...new Set([0, ...inside, durationMs])].toSorted((a, b) => a - b)
        return points.slice(1).map((end, i) => ({ id: '', source: id, start: points[i]!, end }))
      })
      .map((one, i) => ({ one: { ...one, id: `k${i + 1}` }, at: order[i] ?? 0 }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ one }) => one)
    const base = wholeRecipe(sources, brand)
    return {
      ...base,
      keep,
      words: sources.flatMap(({ id, durationMs }) => wordsOf(id, Math.floor((durationMs - 700) / 400))),
      removed: cuts.flatMap(([i, start, ms, isRule, on], n) => {
        const { id, durationMs } = of(i)
        const part = isRule ? {} : { by: 'person' as const, reason: 'by-hand' as const, why: 'Taken out by hand.' }
        return start < durationMs
          ? [
              removal({
                ...part,
                id: `r${n}`,
                source: id,
                start,
                end: Math.min(durationMs, start + ms),
                on: on || !isRule,
              }),
            ]
          : []
      }),
      joints: fades.flatMap(([i, at, lengthMs], n) =>
        at <= of(i).durationMs ? [{ id: `j${n}`, source: of(i).id, at, kind: 'crossfade' as const, lengthMs }] : [],
      ),
      open: card ? { on: true, lengthMs: 1500, title: '', call: '' } : null,
      output: { ...base.output, fps: rate },
    }
  })
  .filter((one) => timelineOf(one).pieces.length > 0)

type Step = { kind: (typeof kinds)[number]; at: number; edge: 'from' | 'to'; by: number }
const kinds = ['split', 'edge', 'trim', 'roll', 'remove', 'words', 'restore', 'stretch', 'switch'] as const
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.nat(600),
    edge: fc.constantFrom('from' as const, 'to' as const),
    by: fc.integer({ min: -90, max: 90 }),
  }),
  { maxLength: 12 },
)
const commandOf = (now: Recipe, { kind, at, edge, by }: Step) => {
  const timeline = timelineOf(now)
  const index = at % Math.max(1, timeline.pieces.length)
  const ids = now.words.slice(at % 20, (at % 20) + 1 + (Math.abs(by) % 4)).map(({ id }) => id)
  switch (kind) {
    case 'split':
      return splitAt(at)
    case 'edge':
      return setPieceEdge(index, edge, (timeline.pieces[index]?.[edge] ?? 0) + by)
    case 'trim':
      return trimTo(edge, at)
    case 'roll':
      return rollJoint(index, by)
    case 'remove':
      return removePiece(index)
    case 'words':
      return cutWords(ids)
    case 'restore':
      return restoreWords(ids)
    case 'stretch':
      return cutStretch(at, at + Math.abs(by))
    case 'switch':
      return switchRemoval(now.removed[at % Math.max(1, now.removed.length)]?.id ?? '', by > 0)
  }
}
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
const lengthsOf = (one: Recipe) => timelineOf(one).pieces.map(({ from, to }) => to - from)

test('after any commands a recipe is valid, its parts add up, and transcript and timeline agree', () => {
  fc.assert(
    fc.property(recipes, steps, (first, list) => {
      expect(readRecipe(first).problems).toBeUndefined()
      const past: { recipe: Recipe; written: string }[] = []
      let now = first
      for (const step of list) {
        past.push({ recipe: now, written: JSON.stringify(now) })
        const next = commandOf(now, step)(now)
        // The same object where there was nothing to do, so that no step back is empty.
        if (next !== now) expect(JSON.stringify(next)).not.toBe(JSON.stringify(now))
        now = next
        const reread = readRecipe(JSON.parse(JSON.stringify(now)))
        expect(reread.problems).toBeUndefined()
        expect(reread.recipe).toEqual(now)
        const timeline = timelineOf(now)
        const { pieces, frames, open, close } = timeline
        expect(frames).toBe(open + close + sum(lengthsOf(now)) - sum(pieces.map(({ fadeIn }) => fadeIn)))
        expect(sum(segmentsOf(now).map((segment) => segment.frames))).toBe(frames)
        for (const { from, to } of pieces) expect(to).toBeGreaterThan(from)
        const read = passagesOf(now).flatMap(({ tokens }) =>
          tokens.flatMap((token) => (token.kind === 'word' && !token.out ? [token.word.id] : [])),
        )
        expect(spokenWords(now, timeline).map(({ word }) => word.id)).toEqual(read)
      }
      for (const { recipe: one, written } of past) expect(JSON.stringify(one)).toBe(written)
    }),
    { numRuns: 300 },
  )
})

test('each command by hand does to the frame what it says, on any recipe', () => {
  fc.assert(
    fc.property(recipes, steps, (first, list) => {
      let now = first
      for (const step of list) {
        const command = commandOf(now, step)
        const next = command(now)
        const [before, after] = [timelineOf(now), timelineOf(next)]
        const index = step.at % before.pieces.length || 0
        const [old, fresh] = [before.pieces[index], after.pieces[index]]
        if (step.kind === 'split' && next !== now) {
          expect(after.pieces).toHaveLength(before.pieces.length + 1)
          expect(after.frames).toBe(before.frames)
          for (const at of [step.at - 1, step.at])
            expect(shownAt(after, at).map(({ frame }) => frame)).toEqual(shownAt(before, at).map(({ frame }) => frame))
        }
        if (step.kind === 'edge' && old && fresh) {
          const reach = pieceReach(now, before, index, step.edge)!
          expect(fresh[step.edge]).toBe(Math.max(reach.from, Math.min(reach.to, old[step.edge] + step.by)))
          const other = step.edge === 'from' ? 'to' : 'from'
          expect(fresh[other]).toBe(old[other])
          expect(after.pieces.map(({ from, to }) => [from, to]).toSpliced(index, 1)).toEqual(
            before.pieces.map(({ from, to }) => [from, to]).toSpliced(index, 1),
          )
          // And the way back leads to the same cut points.
          const back = setPieceEdge(index, step.edge, old[step.edge])(next)
          expect(piecesOf(back)).toEqual(piecesOf(now))
        }
        if (step.kind === 'roll') {
          expect(after.pieces).toHaveLength(before.pieces.length)
          expect(sum(lengthsOf(next))).toBe(sum(lengthsOf(now)))
        }
        if (step.kind === 'remove' && next !== now)
          expect(after.pieces.map(({ from, to }) => [from, to])).toEqual(piecesOf(now).toSpliced(index, 1))
        now = next
      }
    }),
    { numRuns: 300 },
  )
})

test('a slipped passage shows another part of its recording, as long and in the same place', () => {
  // Frames 0–60 and 120–300 are seen; what lies between was a silence.
  const later = slipPiece(0, 10)(recipe)
  expect(piecesOf(later)).toEqual([
    [10, 70],
    [120, 300],
  ])
  expect(timelineOf(later).frames).toBe(timelineOf(recipe).frames)
  expect(piecesOf(slipPiece(0, -10)(later))).toEqual(piecesOf(recipe))
  // Before its start the recording has nothing, and after its end neither.
  expect(slipPiece(0, -5)(recipe)).toBe(recipe)
  expect(slipPiece(1, 5)(recipe)).toBe(recipe)
  // As far as there is something: to its neighbour, which stays.
  expect(piecesOf(slipPiece(0, 500)(recipe))).toEqual([
    [60, 120],
    [120, 300],
  ])
  expect(piecesOf(slipPiece(1, -500)(recipe))).toEqual([
    [0, 60],
    [60, 240],
  ])
})

test('any passage slipped by any frames stays as long, and no other one changes', () => {
  const stretch = fc.tuple(fc.nat(230), fc.integer({ min: 1, max: 40 }))
  const slips = fc.tuple(fc.nat(6), fc.integer({ min: -80, max: 80 }))
  const asked = fc.tuple(fc.array(stretch, { maxLength: 5 }), fc.array(fc.nat(230), { maxLength: 3 }), fc.array(slips))
  let times = 0
  fc.assert(
    fc.property(asked, ([cuts, splits, list]) => {
      let now = cuts.reduce((one, [from, length]) => cutStretch(from, from + length)(one), recipe)
      now = splits.reduce((one, frame) => splitAt(frame)(one), now)
      for (const [index, by] of list) {
        const next = slipPiece(index, by)(now)
        if (next === now) continue
        times++
        const [before, after] = [timelineOf(now), timelineOf(next)]
        expect(after.frames).toBe(before.frames)
        expect(piecesOf(next).toSpliced(index, 1)).toEqual(piecesOf(now).toSpliced(index, 1))
        const [old, fresh] = [before.pieces[index]!, after.pieces[index]!]
        expect([fresh.at, fresh.to - fresh.from]).toEqual([old.at, old.to - old.from])
        expect(Math.abs(fresh.from - old.from)).toBeLessThanOrEqual(Math.abs(by))
        expect(Math.sign(fresh.from - old.from)).toBe(Math.sign(by))
        expect(readRecipe(structuredClone(next)).problems).toBeUndefined()
        now = next
      }
    }),
    { numRuns: 200 },
  )
  expect(times).toBeGreaterThan(50)
})
