import { frameAt, type Fps } from './frames.ts'
import type { Layer } from './recipe.ts'

/** Which moment of a clip is seen while it covers the picture; render and preview both ask here. */

export type ClipTime = Pick<Extract<Layer, { kind: 'b-roll' }>, 'fromMs' | 'speed'>

/** How fast a clip may be played beside how it was recorded. */
export const clipSpeeds = { least: 0.25, most: 4 } as const

/** The frame at which a clip begins, counted at the video's rate in the clip as it is played: twice as fast, half as long. */
export const firstFrame = ({ fromMs, speed = 1 }: ClipTime, fps: Fps): number => frameAt(fromMs / speed, fps)

/** Seconds into the clip's file that are seen after so many frames: the middle of that frame, an edge may show either neighbour. */
export const clipSeconds = (layer: ClipTime, shown: number, fps: Fps): number =>
  ((firstFrame(layer, fps) + shown + 0.5) * fps.den * (layer.speed ?? 1)) / fps.num
