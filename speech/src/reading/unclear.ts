import { soundSimilarity, type Place } from '../grammar.ts'
import { placesAfter, type PlaceStretch, type Stretch } from './stretches.ts'

/** No more missing words than these are looked for in what was heard in their place: more are left out, not unclear. */
const mostMissing = 4
/** How long one sound takes, ms: less is no speech, more is something longer. */
const soundMs = { least: 35, most: 220 }
/** So alike (0 to 1) the sounds must be to what should have been said. */
const alike = 0.5
/** The score of a word that was not measured (0 is best): below any that was, so that it is least sure of all. */
const unmeasured = -200
/** A pause too short to begin a word anew, ms. */
const breath = 150

/** Words left out, and in their place sounds that are like them: they were said, only unclearly. */
export function recogniseUnclear(list: readonly Stretch[], script: readonly Place[]): Stretch[] {
  const following = placesAfter(list)
  let before: PlaceStretch | undefined
  return list.flatMap((one, i): Stretch[] => {
    if (one.kind === 'place') before = one
    if (one.kind !== 'other') return [one]
    const after = following[i]
    const first = before ? before.place + 1 : 0
    const last = after ? after.place - 1 : first
    if (last < first || last - first >= mostMissing) return [one]
    // Neighbours of the same recording, in order: the whole gap, or only its beginning.
    for (let to = last; to >= first; to--) {
      const missing = script.slice(first, to + 1)
      if (soundsLike(one, missing)) return sharedOut(one, missing, first)
    }
    return [one]
  })
}

/** One word found twice within a breath is one word: taking half of it out would be heard. */
export function mergeSplitWords(list: readonly Stretch[]): Stretch[] {
  return list.reduce<Stretch[]>((out, one) => {
    const pause = out.at(-1)?.kind === 'silence' ? out.at(-1) : undefined
    const before = pause ? out.at(-2) : out.at(-1)
    const isSame = one.kind === 'place' && before?.kind === 'place' && before.place === one.place
    if (!isSame || one.start - before.end > breath) out.push(one)
    else {
      if (pause) out.pop()
      out[out.length - 1] = { ...one, start: before.start }
    }
    return out
  }, [])
}

function soundsLike({ sounds, start, end }: Extract<Stretch, { kind: 'other' }>, missing: readonly Place[]): boolean {
  const usual = missing.map(({ phones }) => phones[0]!).join(' ')
  const pace = (end - start) / countOf(usual)
  if (pace < soundMs.least || pace > soundMs.most) return false
  const ways = missing.length === 1 ? missing[0]!.phones : [usual]
  return Math.max(...ways.map((way) => soundSimilarity(sounds, way))) >= alike
}

/** The missing words share the time of what was heard by the number of their sounds. */
function sharedOut({ start, end }: Stretch, missing: readonly Place[], first: number): PlaceStretch[] {
  const counts = missing.map(({ phones }) => countOf(phones[0]!))
  const all = counts.reduce((sum, count) => sum + count, 0)
  let from = start
  return counts.map((count, n) => {
    const to = n === counts.length - 1 ? end : Math.round(from + (count / all) * (end - start))
    const word = { kind: 'place' as const, place: first + n, score: unmeasured, start: from, end: to }
    from = to
    return word
  })
}

const countOf = (phones: string): number => phones.split(' ').length
