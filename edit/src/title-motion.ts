import { frameAt, type Fps } from './frames.ts'
import type { TitleMotion } from './recipe.ts'
import type { Window } from './timeline.ts'

/** How long a title, a sticker or a picture comes and goes, ms; never more than a quarter of its time each. */
const comesFor = 400
const goesFor = 300

/** What comes and goes on its way, in parts: how much of it is seen through, of its height below its place, of its size, of its width from the left. */
export type Entrance = { opacity: number; below: number; size: number; shown: number }

/** How each motion looks when so much of it is done, above 0 and below 1. */
const looks: Record<TitleMotion, (done: number) => Entrance> = {
  fade: (done) => ({ ...still, opacity: done }),
  rise: (done) => ({ ...still, opacity: done, below: (1 - done) * 0.5 }),
  wipe: (done) => ({ ...still, shown: done }),
  grow: (done) => ({ ...still, opacity: done, size: 0.8 + done * 0.2 }),
}

const still: Entrance = { opacity: 1, below: 0, size: 1, shown: 1 }

/** The frames in which a title that is seen in this window is on its way: from the first, and to the one after the last. */
export const movingFrames = ({ from, to }: Window, fps: Fps): { comes: Window; goes: Window } => {
  const most = Math.floor((to - from) / 4)
  const [comes, goes] = [comesFor, goesFor].map((ms) => Math.min(frameAt(ms, fps), most)) as [number, number]
  return { comes: { from, to: from + comes }, goes: { from: to - goes, to } }
}

/** A title slows down as it arrives. */
const slowing = (done: number): number => 1 - (1 - done) ** 3

/** How a title looks at a frame of its window; null where it stands. It leaves as it came. `eased`: how it goes its way. */
export const entranceAt = (
  motion: TitleMotion,
  window: Window,
  fps: Fps,
  frame: number,
  eased: (done: number) => number = slowing,
): Entrance | null => {
  const { comes, goes } = movingFrames(window, fps)
  const part = (since: number, frames: number) => looks[motion](eased(since / (frames + 1)))
  if (frame < comes.to) return part(frame - comes.from + 1, comes.to - comes.from)
  return frame >= goes.from ? part(goes.to - frame, goes.to - goes.from) : null
}
