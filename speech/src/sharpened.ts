import type { Place } from './grammar.ts'
import { refineOnset } from './onsets.ts'
import type { Said } from './reading/said.ts'
import { othersTurn } from './rest.ts'

/** The recogniser's onsets, sharpened by the sound; where two words touched, they touch again. */
export async function sharpened(
  samples: Int16Array,
  said: Said[],
  places: readonly Pick<Place, 'phones'>[],
): Promise<void> {
  for (const [i, one] of said.entries()) {
    if (one.kind !== 'place') continue
    const before = said[i - 1]
    const touching = before && one.start - before.end < 20
    const from = before ? Math.max(before.start + 40, before.end - 110) : 0
    const at = refineOnset(samples, {
      at: one.start,
      from: before && !touching ? Math.max(before.end, from) : from,
      to: one.end - 30,
      phone: places[one.place]!.phones[0]!.split(' ')[0]!,
    })
    if (touching && before) before.end = Math.min(before.end, at) === at || at - before.end < 60 ? at : before.end
    one.start = Math.max(at, before?.end ?? 0)
    await othersTurn()
  }
}
