import type { TitleMotion } from './recipe.ts'
import type { Box } from './safe-area.ts'
import type { Fps } from './frames.ts'
import type { Window } from './timeline.ts'
import { entranceAt, movingFrames, type Entrance } from './title-motion.ts'

/** A picture on its way: where it lies in whole even dots, how much it covers, and how many dots of its width are drawn from the left. */
export type PinnedLook = { box: Box; opacity: number; shown: number }

/** How a picture that stands in `box` looks on its way; render and preview both ask here. */
export const pinnedLook = (box: Box, { opacity, below, size, shown }: Entrance): PinnedLook => {
  const [width, height] = [least(box.width * size), least(box.height * size)]
  const x = box.x + even((box.width - width) / 2)
  const y = box.y + even((box.height - height) / 2 + below * box.height)
  return { box: { x, y, width, height }, opacity, shown: Math.min(width, least(width * shown)) }
}

/** A stretch of its window in which a picture looks the same; `entrance` is null while it stands. */
export type Stretch = Window & { entrance: Entrance | null }

/** The frames from `from` up to `to` of a window, in stretches: each frame on its way is one of its own. */
export const stretchesOf = (
  { motion }: { motion?: TitleMotion | undefined },
  window: Window,
  { from, to }: Window,
  fps: Fps,
): Stretch[] => {
  if (!motion) return [{ from, to, entrance: null }]
  const { comes, goes } = movingFrames(window, fps)
  const stretches: Stretch[] = []
  for (let at = from; at < to;) {
    const entrance = entranceAt(motion, window, fps, at)
    const end = entrance ? at + 1 : Math.min(to, Math.max(goes.from, comes.to))
    stretches.push({ from: at, to: end, entrance })
    at = end
  }
  return stretches
}

const even = (value: number): number => 2 * Math.round(value / 2)

const least = (value: number): number => Math.max(2, even(value))
