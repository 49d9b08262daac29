import type { Fps } from './frames.ts'
import type { Layer } from './recipe.ts'
import type { Window } from './timeline.ts'
import { entranceAt, movingFrames, type Entrance } from './title-motion.ts'

/**
 * A stretch that B-roll covers. `before`: how many of its frames were seen in earlier ones. `comes`, `goes`: at which of its
 * ends it is on its way. `under`: for how many frames it goes on after its end, under the B-roll that comes there.
 */
export type Cover = { whole: Window; before: number; comes: boolean; goes: boolean; under: number }

type Clip = Pick<Extract<Layer, { kind: 'b-roll' }>, 'motion'> & { windows: readonly Window[] }

/**
 * Each clip's covers, in the order of its windows; render and preview both ask here. Where one clip follows another the later
 * one's way counts: it comes over the one before, which goes on meanwhile, so that the picture below is never seen in between.
 */
export const coversOf = (clips: readonly Clip[], fps: Fps): Cover[][] => {
  type Place = { clip: Clip; whole: Window }
  const places = clips.flatMap((clip): Place[] => clip.windows.map((whole) => ({ clip, whole })))
  const begins = new Map(places.map((place) => [place.whole.from, place]))
  const ends = new Map(places.map((place) => [place.whole.to, place]))
  return clips.map((clip) => {
    let shown = 0
    return clip.windows.map((whole): Cover => {
      const [last, next] = [ends.get(whole.from), begins.get(whole.to)]
      const before = shown
      shown += whole.to - whole.from
      const moves = clip.motion !== undefined
      const isFollowed = next !== undefined && next.clip !== clip && next.clip.motion !== undefined
      const { comes } = movingFrames(next?.whole ?? whole, fps)
      return {
        whole,
        before,
        comes: moves && last?.clip !== clip,
        goes: moves && next === undefined,
        under: isFollowed ? comes.to - comes.from : 0,
      }
    })
  })
}

/** The frames in which a cover is seen at all. */
export const seenIn = ({ whole, under }: Pick<Cover, 'whole' | 'under'>): Window => ({
  from: whole.from,
  to: whole.to + under,
})

/** As evenly as a crossfade: what is eased is seen whole after a few frames, and reads as a flicker over all of the picture. */
const evenly = (done: number): number => done

/** How a cover looks at a frame in which it is seen; null where it covers all. */
export const coverEntrance = (
  { motion }: Pick<Clip, 'motion'>,
  { whole, comes, goes }: Pick<Cover, 'whole' | 'comes' | 'goes'>,
  fps: Fps,
  frame: number,
): Entrance | null => {
  if (!motion || frame >= whole.to) return null
  const isComing = frame < movingFrames(whole, fps).comes.to
  return (isComing ? comes : goes) ? entranceAt(motion, whole, fps, frame, evenly) : null
}
