import { frameAt, type Fps } from './frames.ts'
import type { Recipe, Span, Word } from './recipe.ts'
import { firstPlace, grouped } from './sorted.ts'

/** Does a removal hold the word? A word belongs to where the frame of its middle is, here as on the timeline. */
export const covers = ({ source, start, end }: Span, word: Span, fps: Fps): boolean => {
  const middle = frameAt((word.start + word.end) / 2, fps)
  return source === word.source && middle >= frameAt(start, fps) && middle < frameAt(end, fps)
}

export const isOut = ({ removed, output }: Pick<Recipe, 'removed' | 'output'>, word: Word): boolean =>
  removed.some((removal) => removal.on && covers(removal, word, output.fps))

/** As `isOut`, for many words of one recipe: the removals are looked through once. */
export const wordsOut = ({
  removed,
  output: { fps },
}: Pick<Recipe, 'removed' | 'output'>): ((word: Span) => boolean) => {
  const inFrames = ({ source, start, end }: Span) => ({ source, start: frameAt(start, fps), end: frameAt(end, fps) })
  const { holds } = coverageOf(removed.filter(({ on }) => on).map(inFrames))
  return ({ source, start, end }) => holds(source, frameAt((start + end) / 2, fps))
}

/** What spans cover together: whether a moment, and how much of a stretch. Asked often, it is prepared once. */
export const coverageOf = (
  spans: readonly Span[],
): { holds: (source: string, at: number) => boolean; within: (span: Span) => number } => {
  const bySource = new Map(
    [
      ...grouped(
        spans.toSorted((a, b) => a.start - b.start),
        ({ source }) => source,
      ),
    ].map(([source, sorted]) => {
      const merged: { start: number; end: number; before: number }[] = []
      for (const { start, end } of sorted) {
        const last = merged.at(-1)
        if (last && start <= last.end) last.end = Math.max(last.end, end)
        else if (end > start) merged.push({ start, end, before: last ? last.before + last.end - last.start : 0 })
      }
      return [source, merged] as const
    }),
  )
  // What is covered before a moment.
  const upTo = (source: string, at: number): number => {
    const merged = bySource.get(source) ?? []
    const last = merged[firstPlace(merged.length, (place) => merged[place]!.start >= at) - 1]
    return last ? last.before + Math.min(at, last.end) - last.start : 0
  }
  return {
    holds: (source, at) => upTo(source, at + 0.5) > upTo(source, at),
    within: ({ source, start, end }) => upTo(source, end) - upTo(source, start),
  }
}
