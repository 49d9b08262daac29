import { useMemo } from 'react'
import { concernsOf, flatten, passagesOf } from '@clear-to-post/edit/passages'
import type { Recipe } from '@clear-to-post/edit/recipe'

/** The recipe as text, in passages and as one row of tokens, and what an editor should look at in it. */
export const usePassages = (recipe: Recipe) => {
  const passages = useMemo(() => passagesOf(recipe), [recipe])
  const flat = useMemo(() => flatten(passages), [passages])
  const concerns = useMemo(() => concernsOf(passages), [passages])
  return { passages, flat, concerns }
}
