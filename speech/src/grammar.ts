import type { Phones } from './pronounce.ts'

/** What may be said at one place of the script: its pronunciations, and whether a sentence or, after a comma, a clause begins. */
export type Place = { phones: Phones[]; sentenceStart: boolean; clauseStart: boolean }

/** How likely a speaker leaves the script, as natural logarithms: the further below 0, the more it takes to believe it. */
export type OffScriptOdds = {
  /** One word left out, two words left out. */
  skip: number
  skipTwo: number
  /** The rest of a sentence left out, or of a clause. */
  skipSentence: number
  skipClause: number
  /** Back to the sentence's start, or to the start of the one before. */
  again: number
  againBefore: number
  /** Back to the clause's start. */
  againClause: number
  /** On with any sentence: the script is said in another order, or goes on after something else. */
  anySentence: number
  /** Back by one or two words. */
  stammer: number
  filler: number
  /** Sounds that are no word of the script: the first, each further. */
  other: number
  otherMore: number
  silence: number
  /** The recording ends here. */
  end: number
}

/** Found with the footage kit and with spliced human readings; see docs/decisions. */
export const usualOffScriptOdds: OffScriptOdds = {
  skip: -23,
  skipTwo: -32,
  skipSentence: -23,
  skipClause: -30,
  again: -18,
  againBefore: -28,
  againClause: -26,
  anySentence: -60,
  stammer: -30,
  filler: -19,
  other: -46,
  otherMore: -37,
  silence: -5.3,
  end: -46,
}

/** The files that the recogniser reads. Words of the grammar are `w` and the place's number; the rest is below. */
export type Grammar = { fsg: string; dictionary: string; fillers: string }

export const silenceWord = '<sil>'
export const fillerWords = { um: '++UM++', uh: '++UH++' } as const

/** Plain single sounds that stand for whatever is said beside the script. Few, because each costs time at every place. */
const others = 'AA AH IY EY OW ER S SH K N L D W'.split(' ')

/** Sounds that an ear without context takes for each other. */
const kin: Record<string, string> = Object.fromEntries(
  [
    'AA AO AW AY AH UH OW OY UW UM',
    'IY IH Y EY EH AE',
    'ER R',
    'S Z TH F',
    'SH CH JH ZH',
    'K G T P HH',
    'N M NG',
    'L',
    'D DH B V',
    'W',
  ]
    .map((line) => line.split(' '))
    .flatMap((sounds) => sounds.map((sound) => [sound, sounds[0]!])),
)

/** How alike sounds beside the script are to what should have been said, 0 to 1: shared sounds in order, by kin. */
export function soundSimilarity(sounds: readonly string[], phones: Phones): number {
  const a = sounds.map((sound) => kin[sound] ?? sound)
  const b = phones.split(' ').map((sound) => kin[sound] ?? sound)
  let row = Array<number>(b.length + 1).fill(0)
  for (const x of a) {
    const before = row
    row = [0]
    b.forEach((y, j) => row.push(x === y ? before[j]! + 1 : Math.max(before[j + 1]!, row[j]!)))
  }
  return (2 * row[b.length]!) / (a.length + b.length)
}

/** The sound behind a word of the "other" path, or undefined. */
export function otherSound(word: string): string | undefined {
  return /^\+\+([A-Z]{1,2})\+\+$/.exec(word)?.[1]
}

/**
 * A grammar in which the script is read from its first place to its last, and from which the speaker may stray: skip,
 * begin again, stammer, fill, say something else, stop. State i stands before place i; beside each stands one for
 * "something else".
 */
export function offScriptGrammar(places: readonly Place[], leaving: OffScriptOdds = usualOffScriptOdds): Grammar {
  const oddsOf = oddsWriter()
  const count = places.length
  const lines: string[] = []
  const arc = (from: number, to: number, log: number, word = '') =>
    lines.push(`TRANSITION ${from} ${to} ${oddsOf(log)} ${word}`)
  const starts = places.flatMap(({ sentenceStart }, i) => (sentenceStart ? [i] : []))
  const clauses = places.flatMap(({ clauseStart }, i) => (clauseStart ? [i] : []))
  const anywhere = 2 * (count + 1)
  for (let i = 0; i <= count; i++) {
    const next = new Map<number, number>()
    const offer = (place: number | undefined, log: number) => {
      if (place === undefined || place < 0 || place >= count) return
      next.set(place, Math.max(next.get(place) ?? -Infinity, log))
    }
    offer(i, 0)
    offer(i + 1, leaving.skip)
    offer(i + 2, leaving.skipTwo)
    offer(i - 1, leaving.stammer)
    offer(i - 2, leaving.stammer)
    const sentence = around(starts, i)
    const clause = around(clauses, i)
    offer(starts[sentence.before], leaving.again)
    offer(starts[sentence.before - 1], leaving.againBefore)
    offer(starts[sentence.after], leaving.skipSentence)
    offer(clauses[clause.before], leaving.againClause)
    offer(clauses[clause.after], leaving.skipClause)
    for (const [place, log] of next) arc(i, place + 1, log, `w${place}`)
    arc(i, i, leaving.silence, silenceWord)
    for (const filler of Object.values(fillerWords)) arc(i, i, leaving.filler, filler)
    const beside = count + 1 + i
    for (const sound of others) {
      arc(i, beside, leaving.other, `++${sound}++`)
      arc(beside, beside, leaving.otherMore, `++${sound}++`)
    }
    arc(beside, beside, leaving.silence, silenceWord)
    arc(beside, i, 0)
    if (i < count) arc(i, count, leaving.end)
    arc(i, anywhere, leaving.anySentence)
  }
  for (const start of starts) arc(anywhere, start + 1, 0, `w${start}`)
  return written(
    anywhere + 1,
    count,
    lines,
    places.map((place, i) => [`w${i}`, place]),
  )
}

/** Writes odds as the recogniser reads them; each number once, because a grammar has hundreds of thousands of the same few. */
function oddsWriter(): (log: number) => string {
  const known = new Map<number, string>()
  return (log) => {
    const text = known.get(log) ?? Math.max(Math.exp(log), 1e-300).toExponential(6)
    known.set(log, text)
    return text
  }
}

/** Of numbers in their order: where the last below `n` stands, and the first above it. */
function around(numbers: readonly number[], n: number): { before: number; after: number } {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < n) low = middle + 1
    else high = middle
  }
  return { before: low - 1, after: numbers[low] === n ? low + 1 : low }
}

/** A place; sounds beside the script; or places that seem to be left out, where something else stands instead or nothing. */
export type Settled = Pick<Place, 'phones'> | null | { missing: Pick<Place, 'phones'>[]; isSilent: boolean }

/** What it takes to believe, when the words left out are asked for once more, that they were not said. */
const notSaid = -80

/** What was found to be said, in its order. Words are `w` and the item's number, those asked for again `w4_0`, `w4_1`. */
export function confirmedGrammar(items: readonly Settled[]): Grammar {
  const oddsOf = oddsWriter()
  const lines: string[] = []
  const named: [string, Pick<Place, 'phones'>][] = []
  let states = items.length + 1
  const arc = (from: number, to: number, log: number, word = '') =>
    lines.push(`TRANSITION ${from} ${to} ${oddsOf(log)} ${word}`)
  const beside = (from: number, to: number, log: number) => {
    for (const word of [...others.map((sound) => `++${sound}++`), ...Object.values(fillerWords)]) {
      arc(from, to, log - 3, word)
      arc(to, to, -12, word)
    }
  }
  items.forEach((item, i) => {
    arc(i, i, usualOffScriptOdds.silence, silenceWord)
    if (!item) return beside(i, i + 1, 0)
    if ('phones' in item) {
      named.push([`w${i}`, item])
      return arc(i, i + 1, 0, `w${i}`)
    }
    let at = i
    item.missing.forEach((one, n) => {
      const next = n === item.missing.length - 1 ? i + 1 : states++
      if (n > 0) arc(at, at, usualOffScriptOdds.silence, silenceWord)
      named.push([`w${i}_${n}`, one])
      arc(at, next, 0, `w${i}_${n}`)
      at = next
    })
    if (item.isSilent) return arc(i, i + 1, notSaid)
    // Its own state, so that the sounds do not go on after the words.
    const other = states++
    beside(i, other, notSaid)
    arc(other, i + 1, 0)
  })
  arc(items.length, items.length, usualOffScriptOdds.silence, silenceWord)
  return written(states, items.length, lines, named)
}

function written(
  states: number,
  last: number,
  lines: readonly string[],
  places: readonly (readonly [string, Pick<Place, 'phones'>])[],
): Grammar {
  return {
    fsg: [
      'FSG_BEGIN script',
      `NUM_STATES ${states}`,
      'START_STATE 0',
      `FINAL_STATE ${last}`,
      ...lines,
      'FSG_END\n',
    ].join('\n'),
    dictionary: places
      .flatMap(([word, { phones }]) => phones.map((one, n) => `${word}${n === 0 ? '' : `(${n + 1})`} ${one}\n`))
      .join(''),
    fillers: [
      `<s> SIL\n</s> SIL\n${silenceWord} SIL\n`,
      `${fillerWords.um} AH M\n${fillerWords.uh} AH\n${fillerWords.uh}(2) ER\n`,
      ...others.map((sound) => `++${sound}++ ${sound}\n`),
    ].join(''),
  }
}
