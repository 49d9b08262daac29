import type { Place } from '../grammar.ts'
import { isApart, placesAfter, type PlaceStretch, type Stretch } from './stretches.ts'

/** Longer than this no filler is, ms. */
const longestFiller = 1200
/** Shorter than this no filler is, ms; one that the recogniser named as such and that touches a word lasts longer. */
const shortestFiller = { plain: 120, touching: 200 }
/** A hum after a word that is shorter, ms, is that word's end; `named`: one that the recogniser took for a filler. */
const tailOfAWord = { plain: 100, named: 150 }
/** Shorter than this, ms, no sound beside the script is anything but a crackle. */
const crackle = 60

/** One vowel, with what opens or closes it softly: what a filler is taken for by whoever expects a word. */
const humLike = /^((DH|HH) )?(AA|AE|AH|AO|EH|ER|OW|UH)( (M|N|N D|R))?$/
/** The sounds of which a filler may be made. */
const hum = /^(AA|AH|ER|UH|UM|N|OW|UW)$/
/** The sounds that say "um", not "uh". */
const closesTheLips = /^(UM|N)$/
/** Fillers that the recogniser heard as such. */
const named = /^(UM|UH)$/

/** A short word like a hum, alone between pauses, with nothing of its sentence before or after it, is a filler. */
export function fillersAmongWords(list: readonly Stretch[], script: readonly Place[]): Stretch[] {
  const placeBeside = (at: number, step: 1 | -1) => {
    for (let i = at + step; i >= 0 && i < list.length; i += step) {
      const one = list[i]!
      if (one.kind === 'place') return one.place
    }
    return undefined
  }
  return list.map((one, i) => {
    if (one.kind !== 'place' || !isApart(list[i - 1]) || !isApart(list[i + 1])) return one
    const goesOn = placeBeside(i, -1) === one.place - 1 || placeBeside(i, 1) === one.place + 1
    if (goesOn || one.end - one.start > longestFiller) return one
    const way = script[one.place]!.phones.find((phones) => humLike.test(phones))
    return way ? { kind: 'filler', text: / [MN]/.test(way) ? 'um' : 'uh', start: one.start, end: one.end } : one
  })
}

/** Which of the sounds beside the script are fillers, which something said, and which only the tail of a word. */
export function settleSounds(list: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = []
  const following = placesAfter(list)
  let word: PlaceStretch | undefined
  list.forEach((one, i) => {
    if (one.kind === 'place') word = one
    if (one.kind !== 'other') return out.push(one)
    const before = out.at(-1)
    const isNamed = one.sounds.some((sound) => named.test(sound))
    const long = one.end - one.start
    const pauses = { before: isApart(before), after: isApart(list[i + 1]) }
    if (isFiller(list, i, pauses)) {
      const text = one.sounds.some((sound) => closesTheLips.test(sound)) ? 'um' : 'uh'
      return out.push({ kind: 'filler', text, start: one.start, end: one.end })
    }
    // One drawn-out sound right after a word is that word's tail; so is a hum too short to be one.
    const isShort = long < tailOfAWord.plain || (isNamed && long < tailOfAWord.named)
    const isTail = one.sounds.length === 1 && !leavesOut(word, following[i]) && (pauses.after || isShort)
    if (isTail && before?.kind === 'place') {
      before.end = one.end
      return
    }
    if (long >= crackle) out.push(one)
  })
  return out
}

function isFiller(list: readonly Stretch[], at: number, pauses: { before: boolean; after: boolean }): boolean {
  const one = list[at] as Extract<Stretch, { kind: 'other' }>
  // Beyond a pause stands more that is beside the script: it belongs to that.
  const isAmongOthers = [list[at - 2], list[at + 2]].some((near) => near?.kind === 'other' && near.sounds.length > 1)
  if (isAmongOthers || !one.sounds.every((sound) => hum.test(sound))) return false
  const long = one.end - one.start
  if (long < shortestFiller.plain || long > longestFiller) return false
  if (pauses.before && pauses.after) return true
  const isNamed = one.sounds.some((sound) => named.test(sound))
  return isNamed && long >= shortestFiller.touching && (pauses.before || pauses.after)
}

/** Does the script not go on with the next word of it? */
function leavesOut(from: PlaceStretch | undefined, into: PlaceStretch | undefined): boolean {
  return from !== undefined && into !== undefined && into.place !== from.place + 1
}
