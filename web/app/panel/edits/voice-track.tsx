import { gainOf, gainRange } from '@clear-to-post/edit/commands/sound'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { preciseClock } from '../../ui/player-time.ts'
import { atFrame } from './timeline-player.ts'
import { Track, type Bar } from './track.tsx'
import type { Pieces } from './use-pieces.ts'
import { soundWords } from './words/sound.ts'

/** How loud each passage is beside how it was recorded: a line, and a bar with its decibels where it is not 0. */
export const VoiceTrack = ({
  recipe,
  timeline,
  pieces,
  mayWrite,
}: {
  recipe: Recipe
  timeline: Timeline
  pieces: Pieces
  mayWrite: boolean
}) => {
  const levels = timeline.pieces.map((piece) => ({ piece, gain: gainOf(recipe, piece) }))
  const bars = levels.flatMap(({ piece, gain }): Bar[] => {
    if (gain === 0) return []
    const window = { from: piece.at, to: piece.at + piece.to - piece.from - piece.fadeOut }
    const [from, to] = [window.from, window.to].map((frame) => preciseClock(atFrame(frame, timeline.fps)))
    const label = soundWords.gainAt(piece.index + 1, gain, from!, to!)
    return [{ id: String(piece.index), title: soundWords.decibels(gain), label, windows: [window] }]
  })
  if (bars.length === 0) return null
  const x = (frame: number) => ((frame / Math.max(1, timeline.frames)) * 100).toFixed(3)
  // As recorded lies at two thirds of the height; the ends of the range at the ends of the line.
  const [least, most] = gainRange
  const y = (gain: number) => (gain >= 0 ? 33 - (gain / most) * 28 : 33 + (gain / least) * 62).toFixed(1)
  const steps = levels.flatMap(({ piece, gain }) => [
    `${x(piece.at)},${y(gain)}`,
    `${x(piece.at + piece.to - piece.from - piece.fadeOut)},${y(gain)}`,
  ])
  const { held } = pieces
  return (
    <Track
      label={soundWords.voiceTrack}
      kind="voice"
      bars={bars}
      held={held && { id: held.id, edge: null }}
      hand={{ hold: (id) => pieces.hand.hold(id, null), setEnd: () => {} }}
      timeline={timeline}
      mayWrite={mayWrite}
    >
      <svg aria-hidden viewBox="0 0 100 100" preserveAspectRatio="none" className="track-levels">
        <polyline points={steps.join(' ')} className="track-gain" />
      </svg>
    </Track>
  )
}
