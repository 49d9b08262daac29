/** The first of `length` places for which `isThere` holds, by halves; `length` when none does. Once it holds, it holds on. */
export const firstPlace = (length: number, isThere: (place: number) => boolean): number => {
  let [from, to] = [0, length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isThere(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** Lists by a key, each in the order of the whole. */
export const grouped = <Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** The least of any stretch [from, to) of a list, asked often: it is prepared once. Infinity for an empty stretch. */
export const leastWithin = (list: readonly number[]): ((from: number, to: number) => number) => {
  // Level n holds the least of 2ⁿ neighbours from each place on.
  const levels = [list]
  for (let width = 1; 2 * width <= list.length; width *= 2) {
    const below = levels.at(-1)!
    levels.push(below.slice(0, list.length - 2 * width + 1).map((least, i) => Math.min(least, below[i + width]!)))
  }
  return (from, to) => {
    if (from >= to) return Infinity
    const level = 31 - Math.clz32(to - from)
    return Math.min(levels[level]![from]!, levels[level]![to - 2 ** level]!)
  }
}

/**
 * What lies on top where spans [from, to) lie over each other, the later of the list over the earlier: the points where
 * that may change, in order, and from each to the next the place of the span in the list; undefined where none is.
 */
export const topmost = (
  spans: readonly { from: number; to: number }[],
): { points: number[]; tops: (number | undefined)[] } => {
  const points = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b)
  const placeOf = new Map(points.map((point, place) => [point, place]))
  const tops = points.slice(1).map((): number | undefined => undefined)
  // From each stretch the next one that is still free, so that each is filled once.
  const next = points.map((_, place) => place)
  const freeFrom = (place: number): number => {
    let free = place
    while (next[free] !== free) free = next[free]!
    for (let at = place; at !== free;) [at, next[at]] = [next[at]!, free]
    return free
  }
  for (let span = spans.length - 1; span >= 0; span--) {
    const end = placeOf.get(spans[span]!.to)!
    for (let at = freeFrom(placeOf.get(spans[span]!.from)!); at < end; at = freeFrom(at)) {
      tops[at] = span
      next[at] = at + 1
    }
  }
  return { points, tops }
}

/** Asks which items of a source share something with a stretch [from, to); they come in the order of the list. */
export const meeting = <Item>(
  items: readonly Item[],
  placeOf: (item: Item) => { source: string; from: number; to: number },
): ((source: string, from: number, to: number) => Item[]) => {
  const bySource = new Map(
    [
      ...grouped(
        items.map((item, order) => ({ item, order, ...placeOf(item) })).toSorted((a, b) => a.from - b.from),
        ({ source }) => source,
      ),
    ].map(([source, list]) => {
      let latest = -Infinity
      return [source, { list, latest: list.map(({ to }) => (latest = Math.max(latest, to))) }]
    }),
  )
  return (source, from, to) => {
    const own = bySource.get(source)
    if (!own) return []
    const { list, latest } = own
    return list
      .slice(
        firstPlace(list.length, (i) => latest[i]! > from),
        firstPlace(list.length, (i) => list[i]!.from >= to),
      )
      .filter((one) => one.to > from)
      .toSorted((a, b) => a.order - b.order)
      .map(({ item }) => item)
  }
}
