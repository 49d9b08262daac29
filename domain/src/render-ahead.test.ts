import { expect, it } from 'vitest'
import { changedTo, isRenderedAhead, mayRenderAhead, nextParts, quietMs } from './render-ahead.ts'
import { Status, statusValues } from './workflow.ts'

it('an edit is rendered ahead in progress alone, while somebody has it', () => {
  expect(statusValues.filter((status) => isRenderedAhead({ editorId: 'e', status }))).toEqual([Status.inProgress])
  expect(isRenderedAhead({ editorId: null, status: Status.inProgress })).toBe(false)
})

it('two deaths of a worker end it for a revision, and four for all revisions until one is finished', () => {
  expect([0, 1, 2].map((crashes) => mayRenderAhead(crashes, crashes))).toEqual([true, true, false])
  expect([2, 3, 4].map((inAll) => mayRenderAhead(0, inAll))).toEqual([true, true, false])
})

const chunks = [0, 1, 2, 3].map((i) => ({ at: i * 60, frames: 60 }))

it('parts before the last change come first, those after it once it was quiet for longer, the sound last', () => {
  const next = (ready: boolean[], quietForMs: number, sound = false) =>
    nextParts(chunks, { chunks: ready, sound }, { changedTo: 120, quietForMs, mostFrames: 120 })
  expect(next([true, false, false, false], quietMs.before)).toEqual({ make: [1] })
  expect(next([false, true, false, false], quietMs.before - 1)).toEqual({ waitMs: 1 })
  expect(next([true, true, false, false], quietMs.before)).toEqual({ waitMs: quietMs.after - quietMs.before })
  expect(next([true, true, false, false], quietMs.after)).toEqual({ make: [2, 3] })
  expect(next([false, false, false, true], quietMs.before)).toEqual({ make: [0, 1] })
  expect(next([false, false, false, true], quietMs.after)).toEqual({ make: [0, 1] })
  expect(next([true, false, false, true], quietMs.after)).toEqual({ make: [1, 2] })
  expect(next([true, false, true, false], quietMs.after)).toEqual({ make: [1] })
  expect(next([true, true, true, true], quietMs.after)).toEqual({ make: 'sound' })
  expect(next([true, true, true, true], 0, true)).toBe(null)
  expect(next([false, false, false, false], quietMs.after, true)).toEqual({ make: [0, 1] })
  const longer = { changedTo: 120, quietForMs: quietMs.after, mostFrames: 240 }
  expect(nextParts(chunks, { chunks: [true, false, false, false], sound: true }, longer)).toEqual({ make: [1, 2, 3] })
})

it('where everything changed, nothing is made until it was quiet for longer', () => {
  const waits = nextParts(
    chunks,
    { chunks: [false, false, false, false], sound: false },
    { changedTo: null, quietForMs: 3000, mostFrames: 120 },
  )
  expect(waits).toEqual({ waitMs: quietMs.after - 3000 })
})

it('the names of the chunks tell how far a change reached', () => {
  const from = (names: string[], before: number | null = null) =>
    changedTo(chunks.slice(0, names.length), { names, namesBefore: ['a', 'b', 'c', 'd'], before })
  expect(from(['a', 'B', 'c', 'd'])).toBe(120)
  expect(from(['a', 'B', 'C', 'd'])).toBe(180)
  expect(from(['A', 'B', 'C', 'd'])).toBe(null)
  expect(from(['a', 'c', 'd'], 60)).toBe(60)
})
