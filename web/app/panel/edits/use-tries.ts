import { useMemo } from 'react'
import { takeTry } from '@clear-to-post/edit/commands/cuts'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { saidAgain, type SaidAgain } from '@clear-to-post/edit/tries'
import { messages } from './messages.ts'
import { secondsOf } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import { useHeard } from './use-heard.ts'
import type { PreviewParts } from './use-preview.ts'

/** The tries of the sentence in hand: which is in the video, how many there are, and which sounds best. */
export type Tries = { at: number; of: number; best: number; next: () => void }

/**
 * `wordId` is the word in hand. null where its sentence was said once; undefined where every sentence of the video was.
 */
export const useTries = (
  { recipe, change, mayWrite }: Workbench,
  { player, assets }: Pick<PreviewParts, 'player' | 'assets'>,
  wordId: string | undefined,
): Tries | null | undefined => {
  const heard = useHeard(recipe.sources, assets)
  const all = useMemo(() => saidAgain(recipe, heard), [recipe, heard])
  if (all.length === 0 || !mayWrite) return undefined
  const found = all.find(({ tries }) => tries.some(({ words }) => words.some(({ id }) => id === wordId)))
  if (!found) return null
  const at = found.tries.findIndex(({ isIn }) => isIn)
  const next = () => {
    const taken = nextOf(found, at)
    const command = takeTry(found.tries, taken)
    change(messages.did.tried(taken + 1), command)
    const from = startOf(command(recipe), found.tries[taken]!.words[0]!)
    if (from === null) return
    // When the player has the new timeline.
    requestAnimationFrame(() => {
      player.seek(from)
      player.play()
    })
  }
  return { at, of: found.tries.length, best: found.best, next }
}

// The best first, where another is in the video; then one after the other.
const nextOf = ({ tries, best }: SaidAgain, at: number): number =>
  tries.length > 2 || at === best ? (at + 1) % tries.length : best

const startOf = (recipe: Recipe, { source, start }: { source: string; start: number }): number | null =>
  secondsOf(timelineOf(recipe), source, start)
