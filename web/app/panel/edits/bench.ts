import type { Command } from '@clear-to-post/edit/commands/command'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { sameDocument, signOf } from './document.ts'
import type { Kept } from './kept.ts'
import type { KeptSteps } from './kept-steps.ts'

/** How the work stands with the service. */
export type Saving =
  | { state: 'saved' }
  | { state: 'changed' }
  | { state: 'saving' }
  /** Not reached: kept here, tried again. */
  | { state: 'away' }
  /** Somebody else saved meanwhile. */
  | { state: 'conflict' }
  /** It cannot be saved as it is; the words say why. */
  | { state: 'refused'; words: string }

export type Bench = {
  recipe: Recipe
  /** Recipes to go back to, newest last, each with what was done to it. */
  past: readonly { recipe: Recipe; name: string; merge: string | undefined }[]
  future: readonly { recipe: Recipe; name: string }[]
  /** What the service has, and its number. */
  saved: Recipe
  revision: number
  saving: Saving
}

/** What came from the service: a recipe and its number. */
export type RemoteEdit = { recipe: Recipe; revision: number }

export type BenchAction =
  /** `merge`: changes of the same kind in a row are one step back (a slider). */
  | { do: 'change'; command: Command; name: string; merge?: string | undefined }
  | { do: 'undo' }
  | { do: 'redo' }
  | { do: 'saving' }
  | { do: 'stored'; recipe: Recipe; revision: number }
  | { do: 'away' }
  | { do: 'conflict' }
  | { do: 'refused'; words: string }
  | { do: 'try-again' }
  | { do: 'take-theirs'; remote: RemoteEdit; name: string }
  | { do: 'keep-mine'; remote: RemoteEdit }

const longestHistory = 300

/**
 * A bench with what the service has, and on top of it what was not saved when the page was left. Where the service has what
 * that page had sent last, the work goes on from there. `steps`: what could be undone then; it still can where the work is the
 * same as it was, so that nobody's later work is undone with it.
 */
export const openBench = (
  remote: RemoteEdit,
  kept: Kept | null,
  name: string,
  steps: KeptSteps | null = null,
): Bench => {
  const { recipe, revision } = remote
  if (!kept) {
    if (!steps || !sameDocument(steps.recipe, recipe))
      return { recipe, past: [], future: [], saved: recipe, revision, saving: { state: 'saved' } }
    return { ...steps, saved: steps.recipe, revision, saving: { state: 'saved' } }
  }
  const goesOn = kept.revision === revision || kept.sent.includes(signOf(recipe))
  return {
    ...(steps && goesOn && sameDocument(steps.recipe, kept.recipe)
      ? steps
      : { recipe: kept.recipe, past: [{ recipe, name, merge: undefined }], future: [] }),
    saved: recipe,
    revision: goesOn ? revision : kept.revision,
    saving: { state: goesOn ? 'changed' : 'conflict' },
  }
}

export const benchStep = (bench: Bench, action: BenchAction): Bench => {
  switch (action.do) {
    case 'change': {
      const recipe = action.command(bench.recipe)
      if (recipe === bench.recipe) return bench
      const last = bench.past.at(-1)
      const goesOn = action.merge !== undefined && last?.merge === action.merge
      const past = goesOn
        ? bench.past
        : [...bench.past, { recipe: bench.recipe, name: action.name, merge: action.merge }].slice(-longestHistory)
      return { ...bench, recipe, past, future: [], saving: changed(bench, recipe) }
    }
    case 'undo': {
      const last = bench.past.at(-1)
      if (!last) return bench
      const future = [...bench.future, { recipe: bench.recipe, name: last.name }]
      return {
        ...bench,
        recipe: last.recipe,
        past: bench.past.slice(0, -1),
        future,
        saving: changed(bench, last.recipe),
      }
    }
    case 'redo': {
      const next = bench.future.at(-1)
      if (!next) return bench
      const past = [...bench.past, { recipe: bench.recipe, name: next.name, merge: undefined }]
      return {
        ...bench,
        recipe: next.recipe,
        past,
        future: bench.future.slice(0, -1),
        saving: changed(bench, next.recipe),
      }
    }
    case 'saving':
      return { ...bench, saving: { state: 'saving' } }
    case 'stored':
      return {
        ...bench,
        saved: action.recipe,
        revision: action.revision,
        saving: { state: action.recipe === bench.recipe ? 'saved' : 'changed' },
      }
    case 'away':
      return { ...bench, saving: { state: 'away' } }
    case 'conflict':
      return { ...bench, saving: { state: 'conflict' } }
    case 'refused':
      return { ...bench, saving: { state: 'refused', words: action.words } }
    case 'try-again':
      return { ...bench, saving: { state: isDirty(bench) ? 'changed' : 'saved' } }
    case 'take-theirs': {
      const { recipe, revision } = action.remote
      // Mine is one step back, not lost.
      const past = isDirty(bench)
        ? [...bench.past, { recipe: bench.recipe, name: action.name, merge: undefined }]
        : bench.past
      return { ...bench, recipe, saved: recipe, revision, past, future: [], saving: { state: 'saved' } }
    }
    case 'keep-mine':
      return {
        ...bench,
        saved: action.remote.recipe,
        revision: action.remote.revision,
        saving: { state: 'changed' },
      }
  }
}

/** Is there work that the service does not have? */
export const isDirty = ({ recipe, saved }: Bench): boolean => recipe !== saved

/**
 * The work from here that the service's newer recipe is, if it is any: it was stored, and only the answer was lost on its
 * way, to this page or to the one before a reload. `sent`: signs of what went out since the revision that is known here.
 */
export const ownIn = (remote: Recipe, bench: Bench, sent: ReadonlySet<string>): Recipe | undefined => {
  if (isDirty(bench) && sameDocument(bench.recipe, remote)) return bench.recipe
  return sent.has(signOf(remote)) ? remote : undefined
}

// What stands in the way of saving stays until it is dealt with; the newest work is kept here all the same.
// Who steps back to what the service has, has nothing to save.
const changed = ({ saving, saved }: Bench, recipe: Recipe): Saving => {
  if (saving.state === 'conflict' || saving.state === 'saving') return saving
  if (recipe === saved) return { state: 'saved' }
  return saving.state === 'away' ? saving : { state: 'changed' }
}
