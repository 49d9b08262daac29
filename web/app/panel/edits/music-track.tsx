import { useMemo } from 'react'
import { duckedAt, voicedIn } from '@clear-to-post/edit/ducking'
import { musicFade, musicSpan } from '@clear-to-post/edit/music'
import { piecesHeard, restAt } from '@clear-to-post/edit/music-heard'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { messages } from './messages.ts'
import { Track } from './track.tsx'

/** The music under the video, as loud as it is heard at each moment: lower while somebody speaks, and with its fades. */
export const MusicTrack = ({
  recipe,
  timeline,
  title,
  pieceSeconds,
  mayWrite,
  onChoose,
}: {
  recipe: Recipe
  timeline: Timeline
  title: string
  /** How long the piece is; null where nobody knows. */
  pieceSeconds: number | null
  mayWrite: boolean
  onChoose: () => void
}) => {
  const { music } = recipe.sound
  const shape = useMemo(
    () => (music ? levels(recipe, timeline, music, pieceSeconds) : ''),
    [recipe, timeline, music, pieceSeconds],
  )
  if (!music) return null
  return (
    <Track
      label={messages.musicTrack}
      kind="music"
      bars={[{ id: 'music', title, label: messages.musicOf(title), windows: [{ from: 0, to: timeline.frames }] }]}
      held={null}
      hand={{ hold: onChoose, setEnd: () => {} }}
      timeline={timeline}
      mayWrite={mayWrite}
    >
      <svg aria-hidden viewBox="0 0 100 100" preserveAspectRatio="none" className="track-levels">
        <polygon points={shape} />
      </svg>
    </Track>
  )
}

/** The level at so many moments, as points of a shape of 100 by 100; the height is what remains of the loudest. */
const levels = (
  recipe: Recipe,
  timeline: Timeline,
  music: NonNullable<Recipe['sound']['music']>,
  pieceSeconds: number | null,
): string => {
  const voiced = voicedIn(recipe, timeline)
  const seconds = (timeline.frames * timeline.fps.den) / timeline.fps.num
  const { end } = musicSpan(music, seconds, pieceSeconds)
  const pieces = piecesHeard(recipe, timeline)
  const count = 400
  const points = Array.from({ length: count + 1 }, (_, i) => {
    const at = (i / count) * seconds
    const level = duckedAt(voiced, music.duck, at) * musicFade(music, at, end) * restAt(pieces, at)
    // As it is heard, not as it is counted: a tenth of the pressure is half as loud.
    return `${((i / count) * 100).toFixed(2)},${(100 - 100 * level ** 0.3).toFixed(1)}`
  })
  return `0,100 ${points.join(' ')} 100,100`
}
