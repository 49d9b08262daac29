import { cutWords } from '@clear-to-post/edit/commands/cuts'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { changedWord } from './standard-job.ts'

/** Seconds between the corrections of a session: some in a row, some after watching. */
export const pauses = [6, 14, 9, 4, 18, 11, 7, 25, 5, 12, 16, 8, 3, 21, 10, 13, 6, 30, 9, 5]

/**
 * The nth of twenty corrections, from the start of the video to its end, with two steps back: words put right, words cut,
 * punch-ins, a look that is chosen early.
 */
export function corrections(n: number): (recipe: Recipe) => Recipe {
  const at = n === 9 ? 0.2 : n === 16 ? 0.5 : 0.04 + (0.92 * n) / 20
  if (n === 1) return (recipe) => ({ ...recipe, captions: { ...recipe.captions, style: 2 } })
  if (n % 4 === 2) return (recipe) => cutWords([recipe.words[Math.floor(recipe.words.length * at)]!.id])(recipe)
  if (n % 5 === 3) {
    return (recipe) => {
      const { source, start } = recipe.words[Math.floor(recipe.words.length * at)]!
      const move = { source, start, end: start + 2000, focus: null, by: 'person' as const, why: '', on: true }
      return { ...recipe, moves: [...recipe.moves, { id: `n${n}`, kind: 'punch-in' as const, scale: 1.15, ...move }] }
    }
  }
  return (recipe) => changedWord(recipe, at)
}
