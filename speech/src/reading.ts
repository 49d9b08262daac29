import type { Place } from './grammar.ts'
import { keepBelievable } from './reading/believable.ts'
import { fillersAmongWords, settleSounds } from './reading/fillers.ts'
import { dropIslands } from './reading/islands.ts'
import type { Said } from './reading/said.ts'
import { stretchesOf } from './reading/stretches.ts'
import { giveUpTries } from './reading/tries.ts'
import { mergeSplitWords, recogniseUnclear } from './reading/unclear.ts'
import type { Heard } from './sphinx.ts'

/**
 * What the recogniser's way through the grammar means: which places of the script were said when, which tries were given
 * up, what was filler and what stood beside the script. Each step is a file of `reading/`, in this order.
 */
export function reading(heard: readonly Heard[], script: readonly Place[]): Said[] {
  const stretches = stretchesOf(heard)
  const believable = keepBelievable(stretches, script)
  const words = mergeSplitWords(recogniseUnclear(believable, script))
  const rows = dropIslands(words)
  const sounds = settleSounds(fillersAmongWords(rows, script))
  return giveUpTries(sounds, script)
}
