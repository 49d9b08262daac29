/**
 * What was said when, in order; times in ms. `place`: a word of the script, by its place. `other`: something beside the
 * script, of so many sounds. `brokenOff`: part of a try that was given up; `repeats`: it was said before and stays.
 */
export type Said = { start: number; end: number } & (
  | { kind: 'place'; place: number; score: number; brokenOff: boolean; repeats: boolean }
  | { kind: 'filler'; text: 'um' | 'uh' }
  | { kind: 'other'; sounds: number; brokenOff: boolean }
)

/** Longer than this no broken-off word is, ms: it is something that was said. */
export const mostOfAWord = 700

/** Places of the script that no try ever said, and the moment where they should have been. */
export function leftOut(said: readonly Said[], count: number): { place: number; at: number }[] {
  const all = said.flatMap((one) => (one.kind === 'place' ? [one] : []))
  const spoken = new Set(all.map(({ place }) => place))
  const lastKept = new Map(all.flatMap((one, i) => (one.brokenOff ? [] : [[one.place, i] as const])))
  const missing: { place: number; at: number }[] = []
  // Of what was said of the places so far, the last.
  let last = -1
  for (let place = 0; place < count; place++) {
    // Right after the word before it; what was said instead follows.
    if (!spoken.has(place)) missing.push({ place, at: all[last]?.end ?? all[0]?.start ?? 0 })
    last = Math.max(last, lastKept.get(place) ?? -1)
  }
  return missing
}
