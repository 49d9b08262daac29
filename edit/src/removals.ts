import { frameAt, type Fps } from './frames.ts'
import type { Recipe, Span, Word } from './recipe.ts'

/** Does a removal hold the word? A word belongs to where the frame of its middle is, here as on the timeline. */
export const covers = ({ source, start, end }: Span, word: Span, fps: Fps): boolean => {
  const middle = frameAt((word.start + word.end) / 2, fps)
  return source === word.source && middle >= frameAt(start, fps) && middle < frameAt(end, fps)
}

export const isOut = ({ removed, output }: Pick<Recipe, 'removed' | 'output'>, word: Word): boolean =>
  removed.some((removal) => removal.on && covers(removal, word, output.fps))
