import type { Place } from '../grammar.ts'
import { mostOfAWord, type Said } from './said.ts'
import type { Stretch } from './stretches.ts'

/** So much of a try (0 to 1) is said again by the one that stands for it; of a whole sentence, nearly all. */
const saidAgain = { part: 0.6, whole: 0.9 }
/** So much of what is said again, from where it begins anew to where it had come, was said before; 0 to 1. */
const saidBefore = 0.5
/** So much may be said between a try and the next one, ms: more is no slip of the tongue. */
const longestSlip = 4000
/** Sounds so soon after the last word of a try, ms, belong to it: half a word, a sigh. */
const soonAfter = 500
/** So few words (at most) may be chance likenesses in something else. */
const fewWords = 2
/** A pause within something said beside the script that is not taken out, ms. */
const pauseWithin = 500

type SaidPlace = Extract<Said, { kind: 'place' }>
type SpokenWord = { one: SaidPlace; at: number }
/**
 * What was said, and its words of the script with their number in it. By place: `lastSaid`, the number of the last word that said it
 * (-1: none); `lastOn`, the same of it or of what follows it in its sentence; `kept`, how many of the first `counted` words say it and
 * were not given up. Looked through anew for each row, a long recording would be a square of its words.
 */
type Spoken = {
  said: Said[]
  words: SpokenWord[]
  script: readonly Place[]
  lastSaid: readonly number[]
  lastOn: readonly number[]
  kept: Map<number, number>
  counted: number
}
/** Words that follow each other in the script's order, by their numbers among all words of the script that were said. */
type Row = { first: number; last: number }

/**
 * Where the speaker went back, what was said before is a try that was given up: the last complete one stays. Who says the
 * script in another order, or a sentence once more at another place, gives nothing up.
 */
export function giveUpTries(list: readonly Stretch[], script: readonly Place[]): Said[] {
  const said = list.flatMap(saidIn)
  const words = said.flatMap((one, at) => (one.kind === 'place' ? [{ one, at }] : []))
  const lastSaid = script.map(() => -1)
  for (const [i, { one }] of words.entries()) lastSaid[one.place] = i
  const lastOn = lastOnOf(lastSaid, script)
  const spoken = { said, words, script, lastSaid, lastOn, kept: new Map<number, number>(), counted: 0 }
  const rows = rowsOf(words)
  const scraps = new Set(scrapsAmong(rows))
  for (const row of scraps) setRowAside(spoken, row)
  rows.forEach((row, r) => {
    const next = rows[r + 1]
    if (next && !scraps.has(row)) goBack(spoken, row, next)
  })
  markRepeats(said)
  return joinBeside(said)
}

function saidIn(one: Stretch): Said[] {
  if (one.kind === 'silence') return []
  if (one.kind === 'place') return [{ ...one, brokenOff: false, repeats: false }]
  if (one.kind === 'other') return [{ ...one, sounds: one.sounds.length, brokenOff: false }]
  return [one]
}

function rowsOf(words: Spoken['words']): Row[] {
  const rows: Row[] = []
  words.forEach(({ one }, i) => {
    const before = words[i - 1]
    if (!before || one.place <= before.one.place) rows.push({ first: i, last: i })
    else rows.at(-1)!.last = i
  })
  return rows
}

/** Beginnings of a word or two, one after the other, are chance likenesses in something else that is said. */
function scrapsAmong(rows: readonly Row[]): Row[] {
  const isShort = (row: Row | undefined) => row !== undefined && row.last - row.first < fewWords
  return rows.filter((row, r) => isShort(row) && (isShort(rows[r - 1]) || isShort(rows[r + 1])))
}

/** The speaker went back from the end of one row to the beginning of the next: what does that make of both? */
function goBack(spoken: Spoken, row: Row, next: Row): void {
  const { words, script } = spoken
  const reached = words[row.last]!.one.place
  const from = words[next.first]!.one.place
  const isSlip = besideBetween(spoken, row, next) <= longestSlip
  const back = { ...row }
  while (words[back.first]!.one.place < from) back.first++
  if (isSlip && isTry(spoken, back, next, reached, from)) {
    // A word or two in the midst of something else are no try at a sentence.
    if (back.last - back.first < fewWords && isBesideOthers(spoken, back)) return setRowAside(spoken, back)
    return giveUp(spoken, back, words[next.first]!.at)
  }
  const restated = { first: next.first, last: next.first }
  while (restated.last < next.last && words[restated.last + 1]!.one.place <= reached) restated.last++
  countKept(spoken, next.first)
  if (share(placesOf(spoken, restated), (place) => (spoken.kept.get(place) ?? 0) > 0) < saidAgain.part) return
  const last = words[restated.last]!.one.place
  const beside = isBesideOthers(spoken, restated)
  if (isSlip && !endsSentence(script, last) && !beside) return giveUp(spoken, restated, words[restated.last]!.at + 1)
  // Beside something else a part of a sentence is a chance likeness; a whole one is said once more.
  if (!beside) return
  const first = words[restated.first]!.one.place
  if (!beginsSentence(script, first) || !endsSentence(script, last)) setRowAside(spoken, restated)
}

/** Is what was said from `from` to `reached` said again later, and the sentence it broke off gone on with? */
function isTry(spoken: Spoken, back: Row, next: Row, reached: number, from: number): boolean {
  const { script, lastSaid, lastOn } = spoken
  const isWhole = endsSentence(script, reached) && beginsSentence(script, from)
  const places = placesOf(spoken, back)
  return (
    lastOn[reached]! >= next.first &&
    share(places, (place) => lastSaid[place]! >= next.first) >= (isWhole ? saidAgain.whole : saidAgain.part) &&
    places.length >= (reached - from + 1) * saidBefore
  )
}

/** How long something beside the script is said between two rows, ms. */
function besideBetween({ said, words }: Spoken, row: Row, next: Row): number {
  return said
    .slice(words[row.last]!.at + 1, words[next.first]!.at)
    .reduce((sum, one) => sum + (one.kind === 'other' ? one.end - one.start : 0), 0)
}

function giveUp({ said, words, kept, counted }: Spoken, { first }: Row, until: number): void {
  const isCounted = (at: number) => counted > 0 && at <= words[counted - 1]!.at
  for (let at = words[first]!.at; at < until; at++) {
    const one = said[at]!
    if (one.kind === 'other' && (one.start - said[at - 1]!.end > soonAfter || one.end - one.start > mostOfAWord)) break
    if (one.kind === 'place' && !one.brokenOff && isCounted(at)) kept.set(one.place, kept.get(one.place)! - 1)
    if (one.kind !== 'filler') one.brokenOff = true
  }
}

/** Counts what the words up to `until` say and was not given up. */
function countKept(spoken: Spoken, until: number): void {
  const { words, kept } = spoken
  for (; spoken.counted < until; spoken.counted++) {
    const { one } = words[spoken.counted]!
    if (!one.brokenOff) kept.set(one.place, (kept.get(one.place) ?? 0) + 1)
  }
}

function setRowAside({ said, words }: Spoken, row: Row): void {
  for (const { one, at } of words.slice(row.first, row.last + 1))
    said[at] = { kind: 'other', sounds: 1, brokenOff: false, start: one.start, end: one.end }
}

/** A word that was said before and not given up repeats it. */
function markRepeats(said: readonly Said[]): void {
  const kept = new Set<number>()
  for (const one of said) {
    if (one.kind !== 'place' || one.brokenOff) continue
    one.repeats = kept.has(one.place)
    kept.add(one.place)
  }
}

/** What stands beside the script is one, as far as no pause in it is long enough to be taken out. */
function joinBeside(said: readonly Said[]): Said[] {
  return said.reduce<Said[]>((out, one) => {
    const before = out.at(-1)
    if (
      one.kind !== 'other' ||
      before?.kind !== 'other' ||
      one.brokenOff !== before.brokenOff ||
      one.start - before.end > pauseWithin
    )
      out.push(one)
    else out[out.length - 1] = { ...before, sounds: before.sounds + one.sounds, end: one.end }
    return out
  }, [])
}

const placesOf = ({ words }: Spoken, { first, last }: Row): number[] =>
  words.slice(first, last + 1).map(({ one }) => one.place)

const isBesideOthers = ({ said, words }: Spoken, { first, last }: Row): boolean =>
  [said[words[first]!.at - 1], said[words[last]!.at + 1]].some((near) => near?.kind === 'other')

function share(places: readonly number[], isAmong: (place: number) => boolean): number {
  const all = new Set(places)
  return [...all].filter(isAmong).length / Math.max(1, all.size)
}

const beginsSentence = (script: readonly Place[], place: number): boolean => place === 0 || script[place]!.sentenceStart

const endsSentence = (script: readonly Place[], place: number): boolean =>
  place + 1 >= script.length || script[place + 1]!.sentenceStart

/** By place: the last time that it was said, or what follows it in its sentence. */
function lastOnOf(lastSaid: readonly number[], script: readonly Place[]): number[] {
  const lastOn = [...lastSaid]
  for (let place = lastOn.length - 2; place >= 0; place--)
    if (!endsSentence(script, place)) lastOn[place] = Math.max(lastOn[place]!, lastOn[place + 1]!)
  return lastOn
}
