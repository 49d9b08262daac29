import { useMemo } from 'react'
import { duckedAt, voicedIn } from '@clear-to-post/edit/ducking'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { messages } from './messages.ts'
import { Track } from './track.tsx'

/** The music under the video, as loud as it is heard at each moment: lower while somebody speaks, and fading at the end. */
export const MusicTrack = ({
  recipe,
  timeline,
  title,
  mayWrite,
  onChoose,
}: {
  recipe: Recipe
  timeline: Timeline
  title: string
  mayWrite: boolean
  onChoose: () => void
}) => {
  const { music } = recipe.sound
  const shape = useMemo(() => (music ? levels(recipe, timeline, music) : ''), [recipe, timeline, music])
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
const levels = (recipe: Recipe, timeline: Timeline, music: NonNullable<Recipe['sound']['music']>): string => {
  const voiced = voicedIn(recipe, timeline)
  const seconds = (timeline.frames * timeline.fps.den) / timeline.fps.num
  const count = 400
  const points = Array.from({ length: count + 1 }, (_, i) => {
    const at = (i / count) * seconds
    const fade = music.fadeOutMs > 0 ? Math.min(1, ((seconds - at) * 1000) / music.fadeOutMs) : 1
    const level = duckedAt(voiced, music.duck, at) * fade
    // As it is heard, not as it is counted: a tenth of the pressure is half as loud.
    return `${((i / count) * 100).toFixed(2)},${(100 - 100 * level ** 0.3).toFixed(1)}`
  })
  return `0,100 ${points.join(' ')} 100,100`
}
