import { layerKinds } from '../layer-kinds.ts'
import type { Recipe } from '../recipe.ts'
import { shownAt, timelineOf, windowsOf, type Timeline } from '../timeline.ts'
import { freeId } from './command.ts'
import { placedOf, shownFrames, spanFromFrame, withPlaced, type Placed } from './layers.ts'

/** A layer as it was copied: how long it was seen, and how far behind the first of those that were copied with it; frames. */
export type Copy = { layer: Placed; after: number; frames: number }

/** Why nothing is pasted: a card is there, the video ends before the last of them begins, or there are as many as may be. */
export type NoPaste = 'card' | 'end' | 'full'

/** `ids`: of the new layers. `isShorter`: the recording ends before one of them would. */
export type Pasted = { recipe: Recipe; ids: string[]; isShorter: boolean; why?: never } | { why: NoPaste }

/** Layers of these ids, from the lowest up; those without a place of their own, and those that are not seen, are left out. */
export const copiesOf = (recipe: Recipe, ids: Iterable<string>): Copy[] => {
  const timeline = timelineOf(recipe)
  const wanted = new Set(ids)
  const seen = placedOf(recipe).flatMap((layer) => {
    const [first] = wanted.has(layer.id) ? windowsOf(timeline, layer.span) : []
    return first ? [{ layer, at: first.from, frames: shownFrames(timeline, layer.span) }] : []
  })
  const begin = Math.min(...seen.map(({ at }) => at))
  return seen.map(({ layer, at, frames }) => ({ layer, after: at - begin, frames }))
}

/**
 * Copies from a frame of the video on, each as long and as far behind the first as it was. Where the very same are there
 * already, they go behind those: who copies and pastes at once has two. What of their kind lies there makes room, as for every
 * new layer. All of them or none.
 */
export const pasted = (recipe: Recipe, copies: readonly Copy[], frame: number): Pasted => {
  const timeline = timelineOf(recipe)
  const length = Math.max(1, ...copies.map(({ after, frames }) => after + frames))
  // Over a card no recording is seen.
  const isCard = frame < timeline.open || (timeline.close > 0 && frame >= timeline.frames - timeline.close)
  const there = new Set(placedOf(recipe).map((layer) => looksOf(timeline, layer)))
  for (let from = frame; ; from += length) {
    const placed = copies.map((copy) => placeFor(recipe, timeline, copy, from + copy.after))
    if (!placed.every((one) => one !== null)) return { why: isCard ? 'card' : 'end' }
    if (placed.length > 0 && placed.every((layer) => there.has(looksOf(timeline, layer)))) continue
    return withAll(recipe, timeline, placed, copies)
  }
}

/** Layers of these ids once more, right behind the last of them. */
export const duplicated = (recipe: Recipe, ids: Iterable<string>): Pasted => {
  const copies = copiesOf(recipe, ids)
  const timeline = timelineOf(recipe)
  const ends = copies.map(({ layer }) => windowsOf(timeline, layer.span).at(-1)!.to)
  return pasted(recipe, copies, Math.max(timeline.open, ...ends))
}

const placeFor = (recipe: Recipe, timeline: Timeline, { layer, frames }: Copy, frame: number): Placed | null => {
  const [shown] = shownAt(timeline, frame)
  const span = shown && spanFromFrame(recipe, timeline, { source: shown.piece.source, frame: shown.frame }, frames)
  return span ? { ...layer, span } : null
}

const withAll = (recipe: Recipe, timeline: Timeline, placed: readonly Placed[], copies: readonly Copy[]): Pasted => {
  const ids: string[] = []
  let next = recipe
  for (const layer of placed) {
    const id = freeId(layerKinds[layer.kind].letter, next.layers)
    const before = next
    next = withPlaced(before, { ...layer, id }, timeline)
    if (next === before) return { why: 'full' }
    ids.push(id)
  }
  const isShorter = placed.some(({ span }, i) => shownFrames(timeline, span) < copies[i]!.frames)
  return { recipe: next, ids, isShorter }
}

/** What a layer shows, from when on and how long: the same of two of which one covers the other. */
const looksOf = (timeline: Timeline, layer: Placed): string =>
  JSON.stringify([{ ...layer, id: '', span: null }, windowsOf(timeline, layer.span)])
