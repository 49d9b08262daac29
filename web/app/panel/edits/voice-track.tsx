import { gainOf, gainRange } from '@clear-to-post/edit/commands/sound'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { voiceFades } from '@clear-to-post/edit/voice-fades'
import { preciseClock } from '../../ui/player-time.ts'
import { atFrame } from './timeline-player.ts'
import { Track, type Bar } from './track.tsx'
import type { Pieces } from './use-pieces.ts'
import { soundWords } from './words/sound.ts'

/** How loud each passage is beside how it was recorded, and its fades: a line, and a bar with them where there are any. */
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
  const fades = voiceFades(recipe, timeline)
  const levels = timeline.pieces.map((piece, i) => ({ piece, gain: gainOf(recipe, piece), ...fades[i]! }))
  const bars = levels.flatMap(({ piece, gain, fadeIn, fadeOut }): Bar[] => {
    const [comes, goes] = [fadeIn, fadeOut].map((seconds) => Math.round(seconds * 1000)) as [number, number]
    const faded = soundWords.faded(comes, goes)
    if (gain === 0 && !faded) return []
    const title = [gain === 0 ? '' : soundWords.decibels(gain), faded].filter(Boolean).join(' · ')
    const window = { from: piece.at, to: piece.at + piece.to - piece.from - piece.fadeOut }
    const [from, to] = [window.from, window.to].map((frame) => preciseClock(atFrame(frame, timeline.fps)))
    const label = soundWords.gainAt(piece.index + 1, title, from!, to!)
    return [{ id: String(piece.index), title, label, windows: [window] }]
  })
  if (bars.length === 0) return null
  const x = (frame: number) => ((frame / Math.max(1, timeline.frames)) * 100).toFixed(3)
  // As recorded lies at two thirds of the height; the ends of the range at the ends of the line.
  const [least, most] = gainRange
  const silence = 97
  const y = (gain: number) => (gain >= 0 ? 33 - (gain / most) * 28 : 33 + (gain / least) * 62).toFixed(1)
  const steps = levels.flatMap(({ piece, gain, fadeIn, fadeOut }) => {
    const [from, to] = [piece.at, piece.at + piece.to - piece.from - piece.fadeOut]
    const [comes, goes] = [fadeIn, fadeOut].map((seconds) => (seconds * timeline.fps.num) / timeline.fps.den)
    return [
      ...(comes! > 0 ? [`${x(from)},${silence}`] : []),
      `${x(from + comes!)},${y(gain)}`,
      `${x(Math.max(from + comes!, to - goes!))},${y(gain)}`,
      ...(goes! > 0 ? [`${x(to)},${silence}`] : []),
    ]
  })
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
