import { setAside, type PlaceStretch, type Stretch } from './stretches.ts'

/** So many words in the midst of something else may be a chance likeness; three in order are not. */
const mostByChance = 2
/** So many places of the script further still goes on with it: two words are left out at most. */
const near = 3

/** Words in the script's order, or one stretch of something else. */
type Island = Stretch[]

/** One or two words of the script in the midst of something else are chance likenesses, not the script. */
export function dropIslands(list: readonly Stretch[]): Stretch[] {
  const islands = islandsOf(list.filter((one) => one.kind !== 'silence'))
  const lost = islands.filter((_, i) => isByChance(islands, i)).flat()
  return setAside(list, new Set(lost))
}

function islandsOf(speech: readonly Stretch[]): Island[] {
  const islands: Island[] = []
  for (const one of speech) {
    const last = islands.at(-1)
    const before = last?.at(-1)
    const goesOn =
      one.kind === 'place' && before?.kind === 'place' && one.place > before.place && one.place - before.place <= near
    if (goesOn) last!.push(one)
    else islands.push([one])
  }
  return islands
}

function isByChance(islands: readonly Island[], at: number): boolean {
  const island = islands[at]!
  if (island[0]!.kind !== 'place' || island.length > mostByChance) return false
  const [left, right] = [islands[at - 1], islands[at + 1]]
  // Between two words of the script, before a retry or at an end, it may well be right.
  if (!isOther(left?.at(-1)) && !isOther(right?.at(0))) return false
  const first = island[0] as PlaceStretch
  const last = island.at(-1) as PlaceStretch
  // What stands beside it is looked over: does it fit the word of the script beyond?
  const before = isOther(left?.at(-1)) ? islands[at - 2]?.at(-1) : left?.at(-1)
  const after = isOther(right?.at(0)) ? islands[at + 2]?.at(0) : right?.at(0)
  return !fits(before, first.place - 1) && !fits(after, last.place + 1)
}

const isOther = (one: Stretch | undefined): boolean => one !== undefined && one.kind !== 'place'

const fits = (one: Stretch | undefined, place: number): boolean =>
  one?.kind === 'place' && Math.abs(one.place - place) <= near
