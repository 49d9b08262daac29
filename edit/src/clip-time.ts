import { frameAt, type Fps } from './frames.ts'
import type { Layer } from './recipe.ts'

/** Which moment of a clip is seen while it covers the picture; render and preview both ask here. */

/** How near a slow push over B-roll brings it at most. */
export const mostPush = 1.5

/**
 * How near its slow push has brought B-roll when `shown` of its `of` frames have been seen; 1 is its crop as it stands. Where
 * it goes on under what comes after it, it comes nearer still.
 */
export const pushAt = (
  { push = 1 }: Pick<Extract<Layer, { kind: 'b-roll' }>, 'push'>,
  shown: number,
  of: number,
): number => 1 + ((push - 1) * shown) / Math.max(1, of)

export type ClipTime = Pick<Extract<Layer, { kind: 'b-roll' }>, 'fromMs' | 'speed'>

/** How fast a clip may be played beside how it was recorded. */
export const clipSpeeds = { least: 0.25, most: 4 } as const

/** The frame at which a clip begins, counted at the video's rate in the clip as it is played: twice as fast, half as long. */
export const firstFrame = ({ fromMs, speed = 1 }: ClipTime, fps: Fps): number => frameAt(fromMs / speed, fps)

/** Seconds into the clip's file that are seen after so many frames: the middle of that frame, an edge may show either neighbour. */
export const clipSeconds = (layer: ClipTime, shown: number, fps: Fps): number =>
  ((firstFrame(layer, fps) + shown + 0.5) * fps.den * (layer.speed ?? 1)) / fps.num
