import { captionStyles } from '@clear-to-post/domain/captions'
import { layout, type Page } from './captions.ts'
import type { Measure } from './fonts.ts'
import { entering, plainThird, tourThird, type LowerThird } from './lower-third.ts'
import { paint, paintThird, paintVersion, type Context2d, type Pictures } from './paint.ts'
import { sizeOf, type Recipe, type TitleMotion } from './recipe.ts'
import { paintSticker, stickerEntering, stickerOf, type Sticker } from './stickers.ts'
import type { Box } from './safe-area.ts'
import { topmost } from './sorted.ts'
import { entranceAt, movingFrames } from './title-motion.ts'
import { layerWindowsIn, timelineOf, type Timeline, type Window } from './timeline.ts'
import { captionWords } from './translation.ts'

/** What is painted over the picture from a timeline frame to the one after the last: unchanged for so long. */
export type CaptionState = Window & {
  page: Page | null
  /** Id of the spoken word. */
  active: string | null
  thirds: LowerThird[]
  /** In their order: the later lie over the earlier. */
  stickers: Sticker[]
  /** The same for states that look the same, whatever their frames; empty when nothing is painted. */
  key: string
}

export type CaptionTrack = {
  pages: Page[]
  /** One after the other, from frame 0 to the video's last. */
  states: CaptionState[]
  /** The smallest part of the frame that holds everything painted, on even pixels; null when nothing is. */
  band: Box | null
}

/** Captions and lower thirds of a recipe: what the browser shows at a frame, and what the server paints once each. */
export const captionTrack = (
  recipe: Recipe,
  measure: Measure,
  timeline: Timeline = timelineOf(recipe),
): CaptionTrack => {
  const frame = sizeOf(recipe)
  const thirds = thirdsOf(recipe, timeline, measure)
  const end = timeline.frames - timeline.close
  // Captions stand above what is at the bottom while it is seen, each page as high; a title further up needs no room of theirs.
  const low = thirds.filter(({ third }) => third.plate.y + third.plate.height / 2 > (frame.height * 7) / 12)
  const lift = low.reduce(
    (most, { third }) => Math.max(most, third.plate.height + (third.chip ? third.chip.height * 1.3 : 0)),
    0,
  )
  const lifted = lift + Math.min(frame.width, frame.height) * 0.02
  const liftOf = (page: Window) => (low.some(({ from, to }) => from < page.to && page.from < to) ? lifted : 0)
  const pages = layout(
    captionWords(recipe, timeline),
    recipe.captions,
    frame,
    recipe.brand,
    measure,
    timeline.fps,
    end,
    liftOf,
  )

  const stickers = stickersOf(recipe, timeline)
  const edges = new Set([0, timeline.frames])
  for (const { from, to } of [...pages, ...pages.flatMap((page) => page.lines.flat()), ...thirds, ...stickers])
    edges.add(from).add(to)
  for (const one of [...thirds, ...stickers]) for (const at of onItsWay(one, timeline)) edges.add(at)
  const points = [...edges].filter((at) => at >= 0 && at <= timeline.frames).toSorted((a, b) => a - b)
  const states: CaptionState[] = []
  let at = 0
  let nextThird = 0
  const stuckAt = inOrderAt(stickers)
  points.slice(1).forEach((to, i) => {
    const from = points[i]!
    while (pages[at] && pages[at]!.to <= from) at++
    const page = pages[at] && pages[at]!.from <= from ? pages[at]! : null
    const active = page?.lines.flat().findLast((word) => word.from <= from && from < word.to)?.id ?? null
    while (thirds[nextThird] && thirds[nextThird]!.to <= from) nextThird++
    const third = thirds[nextThird]
    const shown = third && third.from <= from ? [thirdAt(third, timeline, from)] : []
    const stuck = stuckAt(from).map((one) => stickerAt(one, timeline, from))
    const key = keyOf(page, active, shown, stuck)
    const last = states.at(-1)
    if (last && last.key === key && last.page === page) last.to = to
    else states.push({ from, to, page, active, thirds: shown, stickers: stuck, key })
  })
  return { pages, states, band: bandOf(states, frame) }
}

/** The states within a stretch of frames, counted from its start: for the segment that is rendered alone. */
export const statesWithin = (states: readonly CaptionState[], { from, to }: Window): CaptionState[] =>
  states
    .filter((state) => state.from < to && state.to > from)
    .map((state) => ({ ...state, from: Math.max(state.from, from) - from, to: Math.min(state.to, to) - from }))

/** Paints a state in the coordinates of the whole frame. */
export const paintState = <P>(context: Context2d<P>, state: CaptionState, pictures: Pictures<P>): void => {
  for (const third of state.thirds) paintThird(context, third, pictures)
  for (const sticker of state.stickers) paintSticker(context, sticker)
  if (state.page) paint(context, state.page, state.active, pictures)
}

/**
 * The lower thirds, one at a time, because they share a place: what a person put over a passage goes before the Home
 * Tour's box, and that before what is always there; of two of a kind the later in the list.
 */
const thirdsOf = (recipe: Recipe, timeline: Timeline, measure: Measure): ShownThird[] => {
  const frame = sizeOf(recipe)
  const { tour, style, on } = recipe.captions
  const windowsOf = layerWindowsIn(timeline)
  type Shown = { windows: Window[]; third: LowerThird; motion?: TitleMotion | undefined }
  const layered = (isAlways: boolean) =>
    recipe.layers.flatMap((layer): Shown[] => {
      if (layer.kind !== 'lower-third' || !layer.on || (layer.span === null) !== isAlways) return []
      const third = plainThird(layer.title, layer.line, frame, recipe.brand, measure, layer.place)
      return [{ windows: windowsOf(layer), third, motion: layer.motion }]
    })
  const toured: Shown[] = []
  if (tour && captionStyles[style].hasTour && on) {
    const box = (room: string | null, windows: Window[]) => {
      const third = tourThird(tour, room, frame, recipe.brand, measure)
      if (third) toured.push({ windows, third })
    }
    box(null, windowsOf({ span: null }))
    for (const room of tour.rooms) box(room.name, windowsOf({ span: room }))
  }
  const all = [...layered(true), ...toured, ...layered(false)].filter(({ third }) => third.rows.length || third.chip)
  const placed = all.flatMap(({ windows, third, motion }) =>
    windows.map((whole) => ({ ...whole, whole, third, motion })),
  )
  const { points, tops } = topmost(placed)
  return tops.flatMap((top, i) =>
    top === undefined ? [] : [{ ...placed[top]!, from: points[i]!, to: points[i + 1]! }],
  )
}

/** A lower third from one frame to another; `whole` is where it would be seen if nothing lay over it. */
type ShownThird = Moving & { third: LowerThird }
type ShownSticker = Moving & { sticker: Sticker }
type Moving = Window & { whole: Window; motion: TitleMotion | undefined }

/** The frames within it at each of which it looks otherwise. */
const onItsWay = ({ from, to, whole, motion }: Moving, { fps }: Timeline): number[] => {
  if (!motion) return []
  const { comes, goes } = movingFrames(whole, fps)
  return [comes, goes]
    .flatMap((way) => Array.from({ length: way.to - way.from + 1 }, (_, i) => way.from + i))
    .filter((at) => at > from && at < to)
}

const thirdAt = ({ third, whole, motion }: ShownThird, { fps }: Timeline, frame: number): LowerThird =>
  motion ? entering(third, entranceAt(motion, whole, fps, frame)) : third

const stickerAt = ({ sticker, whole, motion }: ShownSticker, { fps }: Timeline, frame: number): Sticker =>
  motion ? stickerEntering(sticker, entranceAt(motion, whole, fps, frame)) : sticker

/** Asks what of a list is there at a frame, in its order; the frames that are asked for only grow. */
const inOrderAt = <One extends Window>(list: readonly One[]): ((frame: number) => One[]) => {
  const waiting = list.map((one, order) => ({ one, order })).toSorted((a, b) => a.one.from - b.one.from)
  let begun = 0
  let there: typeof waiting = []
  return (frame) => {
    there = there.filter(({ one }) => frame < one.to)
    const first = begun
    while (begun < waiting.length && waiting[begun]!.one.from <= frame) begun++
    const fresh = waiting.slice(first, begun).filter(({ one }) => frame < one.to)
    if (fresh.length > 0) there = [...there, ...fresh].toSorted((a, b) => a.order - b.order)
    return there.map(({ one }) => one)
  }
}

/** Each sticker for as long as its passage is seen. */
const stickersOf = (recipe: Recipe, timeline: Timeline): ShownSticker[] => {
  const frame = sizeOf(recipe)
  const windowsOf = layerWindowsIn(timeline)
  return recipe.layers.flatMap((layer) => {
    if (layer.kind !== 'sticker' || !layer.on) return []
    const sticker = stickerOf(layer, frame, recipe.brand)
    return windowsOf(layer).map((whole) => ({ ...whole, whole, sticker, motion: layer.motion }))
  })
}

const keyOf = (page: Page | null, active: string | null, thirds: LowerThird[], stickers: Sticker[]): string => {
  if (!page && !thirds.length && !stickers.length) return ''
  const words = page?.lines.flat().map(({ text, x, y }) => [text, x, y])
  const at = page?.lines.flat().findIndex(({ id }) => id === active)
  const stuck = stickers.length > 0 ? [stickers] : []
  return JSON.stringify([paintVersion, page && [page.size, words, at, page.emoji, page.colours], thirds, ...stuck])
}

const bandOf = (states: CaptionState[], frame: { width: number; height: number }): Box | null => {
  const boxes = states.flatMap((state) => [
    ...(state.page ? [state.page.box] : []),
    ...state.thirds.map(({ box }) => box),
    ...state.stickers.map(({ box }) => box),
  ])
  if (!boxes.length) return null
  const even = (value: number) => Math.floor(value / 2) * 2
  // Of a long video there are too many to hand them over as arguments.
  const least = (side: (box: Box) => number) => boxes.reduce((so, box) => Math.min(so, side(box)), Infinity)
  const x = even(
    Math.max(
      0,
      least((box) => box.x),
    ),
  )
  const y = even(
    Math.max(
      0,
      least((box) => box.y),
    ),
  )
  const right = Math.min(frame.width, -least((box) => -box.x - box.width))
  const bottom = Math.min(frame.height, -least((box) => -box.y - box.height))
  return { x, y, width: even(right - x + 1), height: even(bottom - y + 1) }
}
