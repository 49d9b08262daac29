import { useMemo, type ReactNode } from 'react'
import { useQueries } from '@tanstack/react-query'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { windowsOf, type Timeline, type Window } from '@clear-to-post/edit/timeline'
import { peaksOf } from '../../ui/player-peaks.ts'
import { PlayerRuler, type PlayerMark } from '../../ui/player-ruler.tsx'
import { messages } from './messages.ts'
import { partsOf, type TimelinePlayer } from './timeline-player.ts'

type StripProps = {
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
export const Strip = ({ player, recipe, timeline, assets, range, selected, marks, ready }: StripProps) => {
  const heard = useQueries({
    queries: recipe.sources.map(({ assetId }) => peaksOf(assetId, assets.get(assetId)?.peaksUrl)),
    combine: (results) => results.map(({ data }) => data),
  })
  const { sources } = recipe
  const peaks = useMemo(
    () =>
      timelinePeaks(
        timeline,
        new Map(sources.flatMap(({ id, durationMs }, i) => (heard[i] ? [[id, { peaks: heard[i], durationMs }]] : []))),
      ),
    [timeline, sources, heard],
  )
  const parts = partsOf(timeline)
  const share = (frames: number) => `${(frames / Math.max(1, timeline.frames)) * 100}%`
  return (
    <PlayerRuler transport={player} peaks={peaks} marks={marks} onMark={({ at }) => player.seek(at)}>
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

type Heard = ReadonlyMap<string, { peaks: readonly number[]; durationMs: number }>

/** The sources' loudness in the order in which it is heard, `count` slices of equal length; silent where nothing is known. */
export const timelinePeaks = (timeline: Timeline, heard: Heard, count = 900): number[] => {
  const { num, den } = timeline.fps
  const slices = Array.from({ length: count }, () => 0)
  for (const part of partsOf(timeline)) {
    if (part.kind === 'card') continue
    const source = heard.get(part.piece.source)
    if (!source) continue
    const all = (source.durationMs * num) / (1000 * den)
    const first = Math.ceil((part.from / timeline.frames) * count)
    const last = Math.min(count, Math.ceil((part.to / timeline.frames) * count))
    for (let i = first; i < last; i++) {
      const at = part.piece.from + (i / count) * timeline.frames - part.piece.at
      const [from, to] = [at / all, (at + timeline.frames / count) / all].map((share) => share * source.peaks.length)
      for (let p = Math.floor(from!); p < Math.max(Math.floor(from!) + 1, to!); p++)
        slices[i] = Math.max(slices[i]!, source.peaks[p] ?? 0)
    }
  }
  return slices
}
