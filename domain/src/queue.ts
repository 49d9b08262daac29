/** Distance between neighbours at the queue's ends; halving it leaves room for forty insertions at one spot. */
export const step = 1024

/** A position between two neighbours; `null` is an open end. Null when the gap is used up and the neighbours must move apart. */
export const between = (before: number | null, after: number | null): number | null => {
  if (before === null) return after === null ? 0 : after - step
  if (after === null) return before + step
  const middle = before + (after - before) / 2
  return middle > before && middle < after ? middle : null
}

/** Evenly spaced positions for `count` things strictly between two bounds. */
export const spread = (count: number, before: number | null, after: number | null): number[] => {
  const low = before ?? (after === null ? 0 : after - step * (count + 1))
  const high = after ?? low + step * (count + 1)
  return Array.from({ length: count }, (_, i) => low + ((high - low) * (i + 1)) / (count + 1))
}
