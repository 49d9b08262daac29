import { expect, test } from 'vitest'
import { setCaptions } from '@clear-to-post/edit/commands/captions'
import type { Command } from '@clear-to-post/edit/commands/command'
import { removePiece, rollJoint, setPieceEdge, splitAt } from '@clear-to-post/edit/commands/trims'
import { wholeRecipe } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { brand, take } from '../../../../edit/test/take.ts'
import { benchStep, isDirty, openBench, ownIn, type Bench, type BenchAction } from './bench.ts'
import { sameDocument, signOf } from './document.ts'
import { nearestOf } from './preview-layers.tsx'
import { loudestIn } from './use-loudest.ts'
import { partsOf } from './timeline-player.ts'

const source = take(10_000, { id: 's1', assetId: 'a1' })
const recipe = wholeRecipe([source], brand)
const remote = wholeRecipe([{ ...source, name: 'other.mov' }], brand)
const run = (bench: Bench, ...actions: BenchAction[]) => actions.reduce(benchStep, bench)
const size = (value: number, merge?: string): BenchAction => ({
  do: 'change',
  name: 'Size',
  command: setCaptions({ size: value }),
  merge,
})
const open = openBench({ recipe, revision: 4 }, null, 'Kept')

test('every step can be undone and redone, a slider is one step, and a new change clears the redo steps', () => {
  const bench = run(open, size(0.9), size(1.1, 'size'), size(1.2, 'size'), { do: 'undo' })
  expect(bench.recipe.captions.size).toBe(0.9)
  expect(run(bench, { do: 'redo' }).recipe.captions.size).toBe(1.2)
  expect(run(bench, { do: 'undo' }).recipe).toBe(recipe)
  expect(run(bench, size(1.4), { do: 'redo' }).recipe.captions.size).toBe(1.4)
  expect(run(open, size(1))).toBe(open)
})

test('cuts by hand are undone to the same bytes, and one way of the hand is one step', () => {
  const change = (command: Command, merge?: string): BenchAction => ({ do: 'change', name: 'Trim', command, merge })
  const written = JSON.stringify(recipe)
  const cut = run(open, change(splitAt(90)), ...[80, 70, 60].map((at) => change(setPieceEdge(0, 'to', at), 'drag 1')))
  expect(timelineOf(cut.recipe).pieces.map(({ from, to }) => [from, to])).toEqual([
    [0, 60],
    [90, 300],
  ])
  const rolled = run(cut, change(rollJoint(0, 10)), change(removePiece(1)))
  expect(rolled.past).toHaveLength(4)
  const back = run(rolled, ...rolled.past.map((): BenchAction => ({ do: 'undo' })))
  expect(JSON.stringify(back.recipe)).toBe(written)
  expect(back.saving).toEqual({ state: 'saved' })
  expect(run(back, ...rolled.past.map((): BenchAction => ({ do: 'redo' }))).recipe).toBe(rolled.recipe)
})

test('steps from before a reload can still be undone, unless the work is another by then', () => {
  const before = run(open, size(0.9), size(1.1), { do: 'undo' })
  const steps = structuredClone({ recipe: before.recipe, past: before.past, future: before.future })
  const copy = structuredClone(before.recipe)
  const again = openBench({ recipe: copy, revision: 5 }, null, 'Kept', steps)
  expect(again.saving).toEqual({ state: 'saved' })
  expect(isDirty(again)).toBe(false)
  expect(run(again, { do: 'undo' }).recipe).toEqual(recipe)
  expect(run(again, { do: 'redo' }).recipe.captions.size).toBe(1.1)
  // What was not saved yet goes along.
  const kept = { recipe: copy, revision: 4, sent: [] }
  const unsaved = openBench({ recipe, revision: 4 }, kept, 'Kept', steps)
  expect(unsaved.saving).toEqual({ state: 'changed' })
  expect(unsaved.past).toHaveLength(1)
  expect(unsaved.future).toHaveLength(1)
  // Somebody else's work is not undone with one's own.
  expect(openBench({ recipe: remote, revision: 6 }, null, 'Kept', steps).past).toEqual([])
  expect(openBench({ recipe: remote, revision: 6 }, kept, 'Kept', steps).past).toEqual([
    { recipe: remote, name: 'Kept', merge: undefined },
  ])
})

test('a step back to what the service has is saved, and is not waited for', () => {
  expect(run(open, size(0.9), { do: 'undo' }).saving).toEqual({ state: 'saved' })
  expect(run(open, size(0.9), { do: 'away' }, { do: 'undo' }).saving).toEqual({ state: 'saved' })
  expect(run(open, size(0.9), { do: 'undo' }, { do: 'redo' }).saving).toEqual({ state: 'changed' })
  expect(run(open, size(0.9), { do: 'conflict' }, { do: 'undo' }).saving).toEqual({ state: 'conflict' })
})

test('a change made during a save is not shown as saved', () => {
  const saving = run(open, size(0.9), { do: 'saving' })
  const stored = run(saving, size(0.8), { do: 'stored', recipe: saving.recipe, revision: 5 })
  expect(stored).toMatchObject({ revision: 5, saving: { state: 'changed' } })
  expect(isDirty(stored)).toBe(true)
  expect(run(saving, { do: 'stored', recipe: saving.recipe, revision: 5 }).saving).toEqual({ state: 'saved' })
  // A change does not hide that the service is away.
  expect(run(saving, { do: 'away' }, size(0.7)).saving).toEqual({ state: 'away' })
})

test('a conflict loses neither version: taking theirs can be undone, and keeping mine takes their revision', () => {
  const conflict = run(open, size(0.9), { do: 'conflict' })
  const taken = run(conflict, { do: 'take-theirs', remote: { recipe: remote, revision: 7 }, name: 'Theirs' })
  expect(taken).toMatchObject({ recipe: remote, revision: 7, saving: { state: 'saved' } })
  expect(run(taken, { do: 'undo' }).recipe.captions.size).toBe(0.9)
  const mine = run(conflict, { do: 'keep-mine', remote: { recipe: remote, revision: 7 } })
  expect(mine).toMatchObject({ revision: 7, saving: { state: 'changed' } })
  expect(mine.recipe.captions.size).toBe(0.9)
})

test('unsaved work comes back on top of the saved revision, or as a conflict when that has changed', () => {
  const kept = { recipe: remote, revision: 4, sent: [] }
  const back = openBench({ recipe, revision: 4 }, kept, 'Kept')
  expect(back).toMatchObject({ recipe: remote, saving: { state: 'changed' } })
  expect(run(back, { do: 'undo' }).recipe).toBe(recipe)
  expect(openBench({ recipe, revision: 6 }, kept, 'Kept').saving).toEqual({ state: 'conflict' })
})

test('work that was stored without an answer is gone on with after a reload, and is no conflict', () => {
  const stored = { ...recipe, captions: { ...recipe.captions, size: 0.9 } }
  const kept = { recipe: remote, revision: 4, sent: [signOf(recipe), signOf(structuredClone(stored))] }
  const back = openBench({ recipe: stored, revision: 5 }, kept, 'Kept')
  expect(back).toMatchObject({ recipe: remote, saved: stored, revision: 5, saving: { state: 'changed' } })
  expect(run(back, { do: 'undo' }).recipe).toBe(stored)
  const others = { ...recipe, keep: [] }
  expect(openBench({ recipe: others, revision: 5 }, kept, 'Kept').saving).toEqual({ state: 'conflict' })
})

test('a save that was stored is no conflict after a reload that lost its answer', () => {
  const kept = { recipe: { ...recipe, captions: { ...recipe.captions, size: 0.9 } }, revision: 4, sent: [] }
  const reloaded = openBench({ recipe, revision: 4 }, kept, 'Kept')
  const stored = structuredClone(kept.recipe)
  const nothing = new Set<string>()
  expect(ownIn(stored, reloaded, nothing)).toBe(kept.recipe)
  expect(ownIn(stored, run(reloaded, size(0.7)), nothing)).toBe(undefined)
  expect(ownIn(stored, run(reloaded, size(0.7)), new Set([signOf(kept.recipe)]))).toBe(stored)
  expect(ownIn({ ...stored, keep: [] }, reloaded, new Set([signOf(kept.recipe)]))).toBe(undefined)
  // Nothing was changed here: what is new is somebody else's.
  expect(ownIn(structuredClone(recipe), open, nothing)).toBe(undefined)
})

test('a document’s sign is the same whatever the order of its keys, and changes with any value', () => {
  const { captions, ...rest } = recipe
  expect(signOf({ captions, ...rest, look: undefined })).toBe(signOf(recipe))
  const others = [
    { ...recipe, keep: [] },
    { ...recipe, captions: { ...captions, size: captions.size + 0.01 } },
  ]
  for (const other of others) expect(signOf(other)).not.toBe(signOf(recipe))
})

test('documents are equal whatever the order of their keys', () => {
  expect(sameDocument({ a: [1, { b: 2 }], c: null }, { c: null, a: [1, { b: 2, d: undefined }] })).toBe(true)
  expect(sameDocument({ a: [1, 2] }, { a: [1, 2, 3] })).toBe(false)
  expect(sameDocument({ a: null }, { a: {} })).toBe(false)
})

test('the played pieces add up to the video with crossfades and cards, and sound is where it is heard', () => {
  const cut = {
    ...recipe,
    removed: [
      {
        id: 'r1',
        source: 's1',
        start: 2000,
        end: 6000,
        reason: 'silence' as const,
        by: 'rule' as const,
        why: '',
        on: true,
      },
    ],
    joints: [{ id: 'j1', source: 's1', at: 2000, kind: 'crossfade' as const, lengthMs: 500 }],
    close: { on: true, lengthMs: 2000, title: '', call: '' },
  }
  const timeline = timelineOf(cut)
  const parts = partsOf(timeline)
  expect(parts[0]!.from).toBe(0)
  parts.slice(1).forEach((part, i) => expect(part.from).toBe(parts[i]!.to))
  expect(parts.at(-1)).toMatchObject({ kind: 'card', to: timeline.frames })
  // Loud only in the middle that was cut out: what is left is silent.
  const loud = Array.from({ length: 100 }, (_, i) => (i >= 21 && i < 59 ? 1 : 0))
  const heard = new Map([['s1', { peaks: loud, durationMs: 10_000 }]])
  expect(loudestIn(timeline, heard)(0, 1)).toBe(0)
  expect(loudestIn(timelineOf(recipe), heard)(0, 1)).toBe(1)
  // As near as single frames: the sound begins 2.1 s into the take, and ends at 5.9 s.
  const near = [0.2, 0.21, 0.58, 0.59].map((at) => loudestIn(timelineOf(recipe), heard)(at, at + 1 / 300))
  expect(near).toEqual([0, 1, 1, 0])
})

test('of many clips over a long video the eight nearest are loaded, sooner those that come than those that were', () => {
  const clips = Array.from({ length: 40 }, (_, i) => ({
    layer: { id: `b${i}` },
    windows: [{ from: i * 100, to: i * 100 + 30 }],
  }))
  expect(nearestOf(clips, 0)).toEqual(['b0', 'b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7'])
  expect(nearestOf(clips, 2010)).toEqual(['b18', 'b19', 'b20', 'b21', 'b22', 'b23', 'b24', 'b25'])
  expect(nearestOf(clips.slice(0, 3), 2010)).toEqual(['b0', 'b1', 'b2'])
})
