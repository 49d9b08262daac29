import type { Recipe, Span, Word } from '@clear-to-post/edit/recipe'

/** A stretch in which nobody speaks, whole milliseconds on the source's clock. Never inside a word. */
export type Silence = { start: number; end: number }

/** How the times came about: heard by the acoustic model, told by a transcriber, or only shared out between silences. */
export type TimingMethod = 'aligned' | 'transcribed' | 'shared-out'

/** As a recipe holds it, and which words of the script it is: the first and the last one's number, from 0. */
export type Unsaid = Recipe['unsaid'][number] & { from: number; to: number }

/** What a recipe wants to know of one source's speech. `words` are in order of time. */
export type Transcript = {
  words: Word[]
  /** Words of the script that nobody said, and where they should have been. */
  unsaid: Unsaid[]
  silences: Span[]
  means: TimingMethod
  /** Plain sentences for the editor: what could not be done, and what to do about it. Often empty. */
  notes: string[]
}
