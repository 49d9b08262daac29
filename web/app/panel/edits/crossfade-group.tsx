import { useSyncExternalStore } from 'react'
import { crossfadeOf, crossfades } from '@clear-to-post/edit/commands/crossfades'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { preciseClock } from '../../ui/player-time.ts'
import { Group, Range } from './fields.tsx'
import { messages } from './messages.ts'
import { atFrame } from './timeline-player.ts'
import type { Crossfade } from './use-crossfade.ts'
import { pictureWords } from './words/picture.ts'

const words = pictureWords.crossfade

type GroupProps = { crossfade: Crossfade; timeline: Timeline; mayWrite: boolean }

/** Whether the two passages at a cut are seen together for a moment, and for how long. */
export const CrossfadeGroup = ({ crossfade, timeline, mayWrite }: GroupProps) => {
  const index = useSyncExternalStore(crossfade.onSeen, crossfade.here)
  const piece = index === null ? undefined : timeline.pieces[index]
  return (
    <Group title={words.title}>
      {index === null || !piece ? (
        <p className="text-muted">{words.noCut}</p>
      ) : (
        <Range
          label={words.at(preciseClock(atFrame(piece.at, timeline.fps)))}
          value={crossfadeOf(timeline, index)}
          min={0}
          max={crossfades.most}
          step={crossfades.step}
          isDisabled={!mayWrite}
          say={(value) => (value === 0 ? words.cut : messages.seconds(value))}
          onChange={(value) => crossfade.set(value)}
        />
      )}
      <p className="text-[0.8125rem] text-muted">{words.hint}</p>
    </Group>
  )
}
