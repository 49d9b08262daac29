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
  const missing: { place: number; at: number }[] = []
  for (let place = 0; place < count; place++) {
    if (spoken.has(place)) continue
    // Right after the word before it; what was said instead follows.
    const before = all.findLast((one) => one.place < place && !one.brokenOff)
    missing.push({ place, at: before?.end ?? all[0]?.start ?? 0 })
  }
  return missing
}
