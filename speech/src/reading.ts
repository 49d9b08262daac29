import { fillerWords, likeness, otherSound, silenceWord, type Place } from './grammar.ts'
import type { Heard } from './sphinx.ts'

/**
 * What the recogniser's way through the grammar means: which places of the script were said when, which tries were given
 * up, what was filler and what stood beside the script. Times in ms.
 */
export type Said = { start: number; end: number } & (
  | { kind: 'place'; place: number; score: number; brokenOff: boolean; repeats: boolean }
  | { kind: 'filler'; text: 'um' | 'uh' }
  | { kind: 'other'; sounds: number; brokenOff: boolean }
)

/** A pause that sets sounds apart from the words around them. */
const apart = 60
/** Longer than this no broken-off word is, ms: it is something that was said. */
export const mostOfAWord = 700
/** A pause too short to begin a word anew. */
const breath = 150
/** A pause within something said beside the script that is not taken out, ms. */
const onePassage = 500

export function reading(heard: readonly Heard[], places: readonly Place[]): Said[] {
  return tries(
    settled(withHums(withoutChanceMatches(drawnOut(recognised(believed(joined(heard), places), places))), places)),
    places,
  )
}

type Stretch = { start: number; end: number } & (
  | { kind: 'place'; place: number; score: number }
  | { kind: 'filler'; text: 'um' | 'uh' }
  | { kind: 'other'; sounds: string[] }
  | { kind: 'silence' }
)

/** Sounds beside the script that follow each other are one stretch; so are a filler and the sounds around it. */
function joined(heard: readonly Heard[]): Stretch[] {
  const list: Stretch[] = []
  for (const { word, start, end, score } of heard) {
    const last = list.at(-1)
    const sound = otherSound(word)
    if (word === silenceWord) {
      if (last?.kind === 'silence') last.end = end
      else list.push({ kind: 'silence', start, end })
    } else if (word === fillerWords.um || word === fillerWords.uh) {
      if (last?.kind === 'other') {
        last.sounds.push(word === fillerWords.um ? 'UM' : 'UH')
        last.end = end
      } else list.push({ kind: 'other', sounds: [word === fillerWords.um ? 'UM' : 'UH'], start, end })
    } else if (sound) {
      if (last?.kind === 'other') {
        last.sounds.push(sound)
        last.end = end
      } else list.push({ kind: 'other', sounds: [sound], start, end })
    } else list.push({ kind: 'place', place: Number(word.slice(1)), score, start, end })
  }
  // A breath of silence between two sounds beside the script does not part them.
  return list.reduce<Stretch[]>((out, one) => {
    const [before, pause] = [out.at(-2), out.at(-1)]
    if (
      one.kind === 'other' &&
      pause?.kind === 'silence' &&
      before?.kind === 'other' &&
      pause.end - pause.start < apart
    ) {
      out.pop()
      before.sounds.push(...one.sounds)
      before.end = one.end
    } else out.push(one)
    return out
  }, [])
}

/** So many words in a row, fitting at most so much worse than this speaker's words usually do, are not heard by chance. */
const clear = 1.03
const rows = [
  { words: 5, worse: 1.6 },
  { words: 4, worse: clear },
]
/** What may be heard between two words that follow each other, ms. */
const hesitation = 300

/** Words of the script that follow each other, from its place `first` to `last`; `beside`: what was heard before them, ms. */
type Run = { words: Stretch[]; first: number; last: number; beside: number }

/** The runs in their order, and what was heard beside the script after the last one, ms. */
function runsOf(list: readonly Stretch[]): { runs: Run[]; after: number } {
  const runs: Run[] = []
  let beside = 0
  for (const one of list) {
    if (one.kind === 'silence') continue
    if (one.kind !== 'place') {
      beside += one.end - one.start
      continue
    }
    const run = runs.at(-1)
    if (run && one.place === run.last + 1 && beside <= hesitation) {
      run.words.push(one)
      run.last = one.place
    } else runs.push({ words: [one], first: one.place, last: one.place, beside })
    beside = 0
  }
  return { runs, after: beside }
}

/**
 * Whoever says something else is heard by the grammar as scraps of the script, a word here and a word there. Many words in
 * a row are no chance; a few are believed only where they lead from such a row to such a row: on by what was left out, or
 * back to what was begun.
 */
function believed(list: readonly Stretch[], places: readonly Place[]): Stretch[] {
  const { runs, after } = runsOf(list)
  const usual = fit(list)
  const isFirm = ({ words }: Run) =>
    rows.some((row) => words.length >= Math.min(row.words, places.length) && fit(words) <= usual * row.worse)
  if (!runs.some(isFirm)) return [...list]
  const leads = (from: Run | undefined, to: Run | undefined) => {
    if ((to?.beside ?? after) > mostOfAWord) return false
    if (!from || !to) return true
    const on = to.first - from.last
    const place = places[to.first]!
    if (on > 0) return on <= 4 || (to.beside === 0 && (place.sentenceStart || place.clauseStart))
    return to.first >= from.first
  }
  const lost = new Set<Stretch>()
  for (let i = 0; i < runs.length;) {
    if (isFirm(runs[i]!)) {
      i++
      continue
    }
    let end = i
    while (end < runs.length && !isFirm(runs[end]!)) end++
    const chain = [runs[i - 1], ...runs.slice(i, end), runs[end]]
    if (!chain.every((to, n) => n === 0 || leads(chain[n - 1], to))) {
      // A word that nothing else says, in its place and as clear as the others, is the end or the beginning of a row.
      let reached = runs[i - 1]?.last ?? -1
      for (const { words, first, last } of runs.slice(i, end)) {
        const fits = first > reached && last < (runs[end]?.first ?? places.length) && fit(words) <= usual * clear
        if (fits) reached = last
        else for (const one of words) lost.add(one)
      }
    }
    i = end
  }
  return gathered(list.map((one) => (lost.has(one) ? aside(one) : one)))
}

/** How far the words are from how the model would have them said: half of the time spoken fits better. */
function fit(list: readonly Stretch[]): number {
  const words = list.flatMap((one) => (one.kind === 'place' ? [one] : [])).toSorted((a, b) => b.score - a.score)
  const total = words.reduce((sum, { start, end }) => sum + end - start, 0)
  let passed = 0
  return -(words.find(({ start, end }) => (passed += end - start) >= total / 2)?.score ?? 0)
}

const aside = ({ start, end }: Stretch): Stretch => ({ kind: 'other', sounds: ['?'], start, end })

/** Neighbours beside the script are one stretch. */
function gathered(list: readonly Stretch[]): Stretch[] {
  return list.reduce<Stretch[]>((out, one) => {
    const before = out.at(-1)
    if (one.kind === 'other' && before?.kind === 'other')
      out[out.length - 1] = { ...before, sounds: [...before.sounds, ...one.sounds], end: one.end }
    else out.push(one)
    return out
  }, [])
}

/** Words left out, and in their place sounds that are like them: they were said, only unclearly. */
function recognised(list: readonly Stretch[], places: readonly Place[]): Stretch[] {
  return list.flatMap((one, i): Stretch[] => {
    if (one.kind !== 'other') return [one]
    const from = list.slice(0, i).findLast((earlier) => earlier.kind === 'place')
    const into = list.slice(i + 1).find((later) => later.kind === 'place')
    const first = from?.kind === 'place' ? from.place + 1 : 0
    const last = into?.kind === 'place' ? into.place - 1 : first
    if (last < first || last - first > 3) return [one]
    // Neighbours of the same recording, in order: the whole gap, or only its beginning.
    for (let to = last; to >= first; to--) {
      const missing = places.slice(first, to + 1)
      const phones = missing.map((place) => place.phones[0]!).join(' ')
      const count = phones.split(' ').length
      const pace = (one.end - one.start) / count
      if (pace < 35 || pace > 220) continue
      const best =
        missing.length === 1
          ? Math.max(...missing[0]!.phones.map((way) => likeness(one.sounds, way)))
          : likeness(one.sounds, phones)
      if (best < 0.5) continue
      let start = one.start
      return missing.map((place, n) => {
        const share = place.phones[0]!.split(' ').length / count
        const end = n === missing.length - 1 ? one.end : Math.round(start + share * (one.end - one.start))
        const word = { kind: 'place' as const, place: first + n, score: -200, start, end }
        start = end
        return word
      })
    }
    return [one]
  })
}

/** One word found twice within a breath is one word: taking half of it out would be heard. */
function drawnOut(list: readonly Stretch[]): Stretch[] {
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

/** One or two words of the script in the midst of something else are chance likenesses, not the script. */
function withoutChanceMatches(list: readonly Stretch[]): Stretch[] {
  const speech = list.filter((one) => one.kind !== 'silence')
  const islands: Stretch[][] = []
  for (const one of speech) {
    const last = islands.at(-1)
    const before = last?.at(-1)
    const goesOn =
      one.kind === 'place' && before?.kind === 'place' && one.place > before.place && one.place - before.place <= 3
    if (goesOn) last!.push(one)
    else islands.push([one])
  }
  const lost = new Set<Stretch>()
  islands.forEach((island, i) => {
    if (island[0]!.kind !== 'place' || island.length > 2) return
    const [before, after] = [islands[i - 1], islands[i + 1]]
    const edge = (near: Stretch[] | undefined, at: 0 | -1) => {
      const one = near?.at(at)
      if (!one) return 'end'
      return one.kind === 'place' ? one.place : 'other'
    }
    const [left, right] = [edge(before, -1), edge(after, 0)]
    const first = island[0]! as Stretch & { kind: 'place' }
    const last = island.at(-1)! as Stretch & { kind: 'place' }
    // Between two words of the script that it fits, or before a retry, it may well be right.
    if (left !== 'other' && right !== 'other') return
    const fits = (place: number | string, other: number) => typeof place === 'number' && Math.abs(place - other) <= 3
    const beyond = (near: Stretch[] | undefined, at: 0 | -1) => {
      const one = near?.at(at)
      return one?.kind === 'place' ? one.place : 'none'
    }
    const reachLeft = left === 'other' ? beyond(islands[i - 2], -1) : left
    const reachRight = right === 'other' ? beyond(islands[i + 2], 0) : right
    if (fits(reachLeft, first.place - 1) || fits(reachRight, last.place + 1)) return
    island.forEach((one) => lost.add(one))
  })
  return gathered(list.map((one) => (lost.has(one) ? aside(one) : one)))
}

/** One vowel, with what opens or closes it softly: what a filler is taken for by whoever expects a word. */
const humLike = /^((DH|HH) )?(AA|AE|AH|AO|EH|ER|OW|UH)( (M|N|N D|R))?$/

/** A short word like a hum, alone between pauses, with nothing of its sentence before or after it, is a filler. */
function withHums(list: readonly Stretch[], places: readonly Place[]): Stretch[] {
  const near = (at: number, step: 1 | -1) => {
    for (let i = at + step; i >= 0 && i < list.length; i += step) {
      const one = list[i]!
      if (one.kind === 'place') return one.place
    }
    return undefined
  }
  const still = (one: Stretch | undefined) => !one || (one.kind === 'silence' && one.end - one.start >= apart)
  return list.map((one, i) => {
    if (one.kind !== 'place' || !still(list[i - 1]) || !still(list[i + 1])) return one
    if (near(i, -1) === one.place - 1 || near(i, 1) === one.place + 1 || one.end - one.start > 1200) return one
    const way = places[one.place]!.phones.find((phones) => humLike.test(phones))
    return way ? { kind: 'filler', text: / [MN]/.test(way) ? 'um' : 'uh', start: one.start, end: one.end } : one
  })
}

const hum = /^(AA|AH|ER|UH|UM|N|OW|UW)$/

/** Which of the sounds beside the script are fillers, which something said, and which only the tail of a word. */
function settled(list: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = []
  list.forEach((one, i) => {
    const before = out.at(-1)
    const next = list[i + 1]
    if (one.kind !== 'other') return out.push(one)
    const long = one.end - one.start
    const pauseBefore = !before || (before.kind === 'silence' && before.end - before.start >= apart)
    const pauseAfter = !next || (next.kind === 'silence' && next.end - next.start >= apart)
    const among = [list[i - 2], list[i + 2]].some((near) => near?.kind === 'other' && near.sounds.length > 1)
    const hums = !among && one.sounds.every((sound) => hum.test(sound))
    const told = one.sounds.some((sound) => sound === 'UM' || sound === 'UH')
    if (
      hums &&
      long >= 120 &&
      long <= 1200 &&
      ((pauseBefore && pauseAfter) || (told && long >= 200 && (pauseBefore || pauseAfter)))
    ) {
      const text = one.sounds.some((sound) => sound === 'UM' || sound === 'N') ? 'um' : 'uh'
      return out.push({ kind: 'filler', text, start: one.start, end: one.end })
    }
    const into = list.slice(i + 1).find((later) => later.kind === 'place')
    const from = out.findLast((earlier) => earlier.kind === 'place')
    const jumps = into && from && into.kind === 'place' && from.kind === 'place' && into.place !== from.place + 1
    // One drawn-out sound right after a word is that word's tail; so is a hum too short to be one.
    const tail = one.sounds.length === 1 && !jumps && (pauseAfter || long < 100 || (told && long < 150))
    if (tail && before?.kind === 'place') {
      before.end = one.end
      return
    }
    // A crackle in the middle of nowhere.
    if (long < 60) return
    out.push(one)
  })
  return out
}

/** So much of a try is said again by the one that stands for it; of a whole sentence, nearly all. */
const saidAgain = { part: 0.6, whole: 0.9 }
/** So much may be said between a try and the next one, ms: more is no slip of the tongue. */
const slip = 4000

/** Words that follow each other in the script's order, by their numbers among all words of the script that were said. */
type Row = { first: number; last: number }

/**
 * Where the speaker went back, what was said before is a try that was given up: the last complete one stays. Who says the
 * script in another order, or a sentence once more at another place, gives nothing up.
 */
function tries(list: readonly Stretch[], script: readonly Place[]): Said[] {
  const said = list.flatMap((one): Said[] => {
    if (one.kind === 'silence') return []
    if (one.kind === 'place') return [{ ...one, brokenOff: false, repeats: false }]
    if (one.kind === 'other') return [{ ...one, sounds: one.sounds.length, brokenOff: false }]
    return [one]
  })
  const words = said.flatMap((one, at) => (one.kind === 'place' ? [{ one, at }] : []))
  const rows: Row[] = []
  words.forEach(({ one }, i) => {
    const before = words[i - 1]
    if (!before || one.place <= before.one.place) rows.push({ first: i, last: i })
    else rows.at(-1)!.last = i
  })
  const placesOf = ({ first, last }: Row) => words.slice(first, last + 1).map(({ one }) => one.place)
  const setAside = (row: Row) => {
    for (const { one, at } of words.slice(row.first, row.last + 1))
      said[at] = { kind: 'other', sounds: 1, brokenOff: false, start: one.start, end: one.end }
  }
  // Beginnings of a word or two, one after the other, are chance likenesses in something else that is said.
  const isScrap = (row: Row | undefined) => row !== undefined && row.last - row.first < 2
  const scraps = rows.filter((row, r) => isScrap(row) && (isScrap(rows[r - 1]) || isScrap(rows[r + 1])))
  scraps.forEach(setAside)
  const besideOthers = ({ first, last }: Row) =>
    [said[words[first]!.at - 1], said[words[last]!.at + 1]].some((near) => near?.kind === 'other')
  const endsSentence = (place: number) => place + 1 >= script.length || script[place + 1]!.sentenceStart

  rows.forEach((row, r) => {
    const next = rows[r + 1]
    if (!next || scraps.includes(row)) return
    const reached = words[row.last]!.one.place
    const from = words[next.first]!.one.place
    const back = { first: words.findIndex(({ one }, i) => i >= row.first && one.place >= from), last: row.last }
    const later = new Set(placesOf({ first: next.first, last: words.length - 1 }))
    const between = said.slice(words[row.last]!.at + 1, words[next.first]!.at)
    const isSlip = between.reduce((sum, one) => sum + (one.kind === 'other' ? one.end - one.start : 0), 0) <= slip
    const again = share(placesOf(back), later)
    const isWhole = endsSentence(reached) && (from === 0 || script[from]!.sentenceStart)
    const reachesOn = [...later].some(
      (place) => place >= reached && sentenceOf(script, place) === sentenceOf(script, reached),
    )
    const isTry =
      isSlip &&
      reachesOn &&
      again >= (isWhole ? saidAgain.whole : saidAgain.part) &&
      placesOf(back).length >= (reached - from + 1) / 2
    if (isTry) {
      // A word or two in the midst of something else are no try at a sentence.
      if (back.last - back.first < 2 && besideOthers(back)) return setAside(back)
      return giveUp(back, words[next.first]!.at)
    }
    const restated = { first: next.first, last: next.first }
    while (restated.last < next.last && words[restated.last + 1]!.one.place <= reached) restated.last++
    const earlier = new Set(words.slice(0, next.first).flatMap(({ one }) => (one.brokenOff ? [] : [one.place])))
    if (share(placesOf(restated), earlier) < saidAgain.part) return
    const last = words[restated.last]!.one.place
    if (isSlip && !endsSentence(last) && !besideOthers(restated)) return giveUp(restated, words[restated.last]!.at + 1)
    // Beside something else a part of a sentence is a chance likeness; a whole one is said once more.
    if (!besideOthers(restated)) return
    const begins = script[words[restated.first]!.one.place]!.sentenceStart || words[restated.first]!.one.place === 0
    if (!begins || !endsSentence(last)) setAside(restated)
  })
  const kept = new Set<number>()
  for (const one of said) {
    if (one.kind !== 'place' || one.brokenOff) continue
    one.repeats = kept.has(one.place)
    kept.add(one.place)
  }
  return gatheredBeside(said)

  function giveUp({ first }: Row, until: number): void {
    for (let at = words[first]!.at; at < until; at++) {
      const one = said[at]!
      // Sounds right after the last word of the try belong to it: half a word, a sigh.
      if (one.kind === 'other' && (one.start - said[at - 1]!.end > 500 || one.end - one.start > mostOfAWord)) break
      if (one.kind !== 'filler') one.brokenOff = true
    }
  }
}

function share(places: readonly number[], among: ReadonlySet<number>): number {
  const all = new Set(places)
  return [...all].filter((place) => among.has(place)).length / Math.max(1, all.size)
}

/** The place where the sentence of a place begins. */
function sentenceOf(script: readonly Place[], place: number): number {
  while (place > 0 && !script[place]!.sentenceStart) place--
  return place
}

/** What stands beside the script is one, as far as no pause in it is long enough to be taken out. */
function gatheredBeside(said: readonly Said[]): Said[] {
  return said.reduce<Said[]>((out, one) => {
    const before = out.at(-1)
    if (
      one.kind !== 'other' ||
      before?.kind !== 'other' ||
      one.brokenOff !== before.brokenOff ||
      one.start - before.end > onePassage
    )
      out.push(one)
    else out[out.length - 1] = { ...before, sounds: before.sounds + one.sounds, end: one.end }
    return out
  }, [])
}

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
