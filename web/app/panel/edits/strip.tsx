import type { ReactNode } from 'react'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { windowsOf, type Timeline, type Window } from '@clear-to-post/edit/timeline'
import { PlayerRuler, type PlayerMark } from '../../ui/player-ruler.tsx'
import { LineWave } from './line-canvas.tsx'
import type { LineView } from './line-view.ts'
import { messages } from './messages.ts'
import { partsOf, type TimelinePlayer } from './timeline-player.ts'
import { useLoudest } from './use-loudest.ts'

type StripProps = {
  /** What of the line is seen. */
  view: LineView
  player: TimelinePlayer
  recipe: Recipe
  timeline: Timeline
  assets: ReadonlyMap<string, Asset>
  /** Marked by I and O, in timeline frames. */
  range: Window | null
  selected: readonly Window[]
  /** Remarks at moments of the video. */
  marks: readonly PlayerMark[]
  /** A line over it all that tells what is made already. */
  ready: ReactNode
}

/** The finished video as a line: its sound, where it was cut, where the picture comes nearer, its cards. */
export const Strip = ({ view, player, recipe, timeline, assets, range, selected, marks, ready }: StripProps) => {
  const loudest = useLoudest(recipe, timeline, assets)
  const parts = partsOf(timeline)
  const share = (frames: number) => `${(frames / Math.max(1, timeline.frames)) * 100}%`
  return (
    <PlayerRuler
      transport={player}
      marks={marks}
      onMark={({ at }) => player.seek(at)}
      skips={skips}
      wave={
        <LineWave view={view} loudest={loudest} duration={timeline.frames / (timeline.fps.num / timeline.fps.den)} />
      }
    >
      <div aria-hidden className="pointer-events-none absolute inset-x-0 top-2 bottom-0">
        {parts.map((part, i) => (
          <span key={i}>
            {part.kind === 'card' && (
              <span
                className="absolute top-0 bottom-[22px] grid place-items-center overflow-hidden border-x border-line bg-sunken text-[0.6875rem] text-muted"
                style={{ left: share(part.from), width: share(part.to - part.from) }}
              >
                <span className="max-sm:hidden">{messages.card}</span>
              </span>
            )}
            {part.kind === 'piece' && part.before && (
              <span
                className="absolute top-0 bottom-[22px] bg-linear-to-tr from-transparent from-50% to-primary/35 to-50%"
                style={{ left: share(part.from), width: share(part.piece.fadeIn) }}
              />
            )}
            {i > 0 && (
              <span
                className="absolute top-0 bottom-[22px] w-px bg-edge before:absolute before:-left-[3px] before:border-x-[3.5px] before:border-t-[5px] before:border-x-transparent before:border-t-edge"
                style={{ left: share(part.from) }}
              />
            )}
          </span>
        ))}
        {recipe.moves
          .filter(({ on }) => on)
          .flatMap((move) =>
            windowsOf(timeline, move).map(({ from, to }, i) => (
              <span
                key={`${move.id} ${i}`}
                className="absolute bottom-[20px] h-[3px] rounded-full bg-primary opacity-70"
                style={{ left: share(from), width: share(to - from) }}
              />
            )),
          )}
        {selected.map(({ from, to }, i) => (
          <span
            key={i}
            className="absolute top-0 bottom-[22px] bg-primary/20"
            style={{ left: share(from), width: share(to - from) }}
          />
        ))}
        {range && (
          <span
            className="absolute top-0 bottom-[22px] border-x-2 border-primary bg-primary/15"
            style={{ left: share(range.from), width: share(range.to - range.from) }}
          />
        )}
      </div>
      {ready}
    </PlayerRuler>
  )
}

/** Up and down lead to the cuts. */
const skips = { PageUp: 10, PageDown: -10 }
