import { cutText } from '@clear-to-post/domain/cut-text'
import { unrecognised } from '@clear-to-post/edit/drawn'
import { firstPlace } from '@clear-to-post/edit/sorted'
import {
  confirmedGrammar,
  offScriptGrammar,
  usualOffScriptOdds,
  type OffScriptOdds,
  type Place,
  type Settled,
} from './grammar.ts'
import { glossaryOf, type Glossary } from './glossary.ts'
import { pronouncing } from './pronounce.ts'
import { leftOut, mostOfAWord, type Said } from './reading/said.ts'
import { reading } from './reading.ts'
import { readScript, type ScriptWord } from './script.ts'
import { sharpened } from './sharpened.ts'
import { levelsOf, quietIn, type Levels } from './sound.ts'
import { recognise, type Heard, type Sphinx } from './sphinx.ts'
import type { Silence, Transcript, Unsaid } from './transcript.ts'

export type AlignRequest = {
  /** Mono, 16,000 samples a second, from the source's beginning. */
  samples: Int16Array
  script: string
  /** The recipe's id of the source. */
  source: string
  glossary?: Glossary
  /** How long the recogniser may take at most, all its runs together; Infinity unless said. */
  withinMs?: number | undefined
  /** Where the sound may lie while the recogniser runs (see `recognise`). */
  folder?: string | undefined
  signal?: AbortSignal | undefined
}

/** What all runs of the recogniser over one recording share. `until`: when the time is up, by `performance.now()`. */
type Clock = { until: number; folder: string | undefined; signal: AbortSignal | undefined }

const timeLeft = ({ until, ...shared }: Clock) => ({ withinMs: until - performance.now(), ...shared })

/** Twenty minutes of quick speech; a longer text is no script of a short video. */
const mostWords = 4000

/** What is said for the words: a number is several. */
const mostPlaces = 8000

const notFound =
  'The script could not be found in the recording. Check that it is the script of this take, not only names or hints. If it is, give the words again: then their times are estimated.'

/** A pause that editors and rules care for, ms. */
export const leastSilence = 200

/**
 * Finds the words of a known script in a recording, and where the speaker left it. Throws as `recognise` does; a script
 * without words gives a transcript without words.
 */
export async function align(tool: Sphinx, request: AlignRequest): Promise<Transcript> {
  const { samples, source } = request
  const { folder, signal } = request
  const clock = { until: performance.now() + (request.withinMs ?? Infinity), folder, signal }
  const words = withinBounds(readScript(request.script))
  const levels = await levelsOf(samples)
  const lengthMs = Math.floor(samples.length / 16)
  const blank = { source, words: [], unsaid: [], means: 'aligned' as const }
  if (words.length === 0)
    return {
      ...blank,
      silences: quietIn(levels, 0, lengthMs, leastSilence).map((one) => ({ source, ...one })),
      notes: ['The script has no words.'],
    }
  const places = words.flatMap((word, w) =>
    word.units.map((unit, u) => ({
      word: w,
      unit,
      sentenceStart: u === 0 && words[w - 1]?.sentence !== word.sentence,
      clauseStart: u === 0 && /[,;:–—]$/.test(words[w - 1]?.text ?? ''),
    })),
  )
  const glossary = request.glossary ?? glossaryOf({})
  const pronounce = await pronouncing(tool.dictionary, new Set(places.flatMap(({ unit }) => unit.flat())), glossary)
  const spoken = places.map(({ unit, sentenceStart, clauseStart }): Place => {
    const phones = [...new Set(unit.flatMap((way) => pronounce(way)))].slice(0, 8)
    return { phones, sentenceStart, clauseStart }
  })
  const heard = await search(tool, samples, spoken, clock)
  const first = reading(heard, spoken)
  if (!isThisScript(first, places, words.length))
    return {
      ...blank,
      silences: quietIn(levels, 0, lengthMs, leastSilence).map((one) => ({ source, ...one })),
      notes: [notFound],
    }
  const said = inOrder(await measured(tool, samples, first, spoken, clock))
  await sharpened(samples, said, spoken)
  const result = assembled(said, places, words, source)
  return {
    ...result,
    unsaid: unsaidWords(leftOut(said, spoken.length), places, words, source),
    silences: silencesOf(levels, said, lengthMs).map((one) => ({ source, ...one })),
    means: 'aligned',
    notes: [],
  }
}

/** The words from the first as far as the recogniser can follow. */
function withinBounds(words: readonly ScriptWord[]): ScriptWord[] {
  let places = 0
  const past = words.findIndex(({ units }, i) => i >= mostWords || (places += units.length) > mostPlaces)
  return words.slice(0, past < 0 ? words.length : past)
}

/** How many ways are followed at once: with fewer the right one is lost where the speaker strays. */
const narrow = ['-maxhmmpf', '400']
/** Noise removal trails behind the sound: good for finding words, bad for measuring them. */
const sharp = ['-remove_noise', 'no']

/** With a voice that the model knows badly everything sounds a little like something else: then it takes more to believe it. */
async function search(tool: Sphinx, samples: Int16Array, places: Place[], clock: Clock): Promise<Heard[]> {
  const first = await recognise(tool, samples, offScriptGrammar(places), { ...timeLeft(clock), extra: narrow })
  if (straightness(first, places.length) > 0.85) return first
  const stricter = Object.fromEntries(
    Object.entries(usualOffScriptOdds).map(([name, log]) => [name, /silence|end/.test(name) ? log : log * 1.5]),
  ) as OffScriptOdds
  const second = await recognise(tool, samples, offScriptGrammar(places, stricter), {
    ...timeLeft(clock),
    extra: narrow,
  })
  return straightness(second, places.length) >= straightness(first, places.length) ? second : first
}

/** The share of the time spoken that goes to the script's words, each after the one before. */
function straightness(heard: readonly Heard[], count: number): number {
  let straight = 0
  let all = 0
  let at = -1
  for (const { word, start, end } of heard) {
    if (word === '<sil>') continue
    all += end - start
    const place = /^w\d+$/.test(word) ? Number(word.slice(1)) : undefined
    if (place === undefined) continue
    if (place === at + 1) straight += end - start
    at = place
  }
  return count === 0 || all === 0 ? 0 : straight / all
}

/**
 * Another text than what is said is found in scraps, and so are names to spell right: not half of its words are found in
 * rows, and most of what is heard lies beside it.
 */
function isThisScript(said: readonly Said[], places: readonly PlaceOf[], words: number): boolean {
  const long = (list: readonly Said[]) => list.reduce((sum, { start, end }) => sum + end - start, 0)
  const kept = (one: Said | undefined) => one?.kind === 'place' && !one.brokenOff
  const rows: number[][] = []
  const spoken = said.filter(({ kind }) => kind !== 'filler')
  spoken.forEach((one, i) => {
    if (one.kind !== 'place' || one.brokenOff) return
    const before = spoken[i - 1]
    const goesOn = before?.kind === 'place' && kept(before) && one.place === before.place + 1
    if (!goesOn) rows.push([])
    rows.at(-1)!.push(places[one.place]!.word)
  })
  const inRows = new Set(rows.filter((row) => new Set(row).size >= Math.min(3, words)).flat())
  if (inRows.size > words / 2) return true
  // People say two or three words a second: a few words cannot be most of it.
  const isLong = words >= (long(said) / 1000) * 1.2
  return isLong && long(said.filter(kept)) > long(said.filter(({ kind }) => kind === 'other'))
}

/** A word found so far from where it was, ms, was found in something else. */
const strayed = 600

/** No more words than these are asked for again where the speaker seems to have left them out. */
const mostAgain = 4

/**
 * Once it is known what was said, its times are found anew by themselves: freedom to stray costs sharpness. Where a few
 * words of the script seem to be left out, they are offered once more beside what was found in their place: alone against
 * that, and not against every other way to stray, many are recognised that were only said unclearly.
 */
async function measured(
  tool: Sphinx,
  samples: Int16Array,
  said: Said[],
  places: Place[],
  clock: Clock,
): Promise<Said[]> {
  const rows = withGaps(said)
  // What is long and beside the script is left out: words that resemble it would be sought in it.
  const passages = passagesBeside(rows).filter(({ start, end }) => end - start > mostOfAWord)
  const beside = new Set(passages.flatMap(({ list }) => list))
  const asked = rows.filter((row) => !beside.has(row))
  const items = asked.map((row): Settled => {
    if ('missing' in row)
      return { missing: row.missing.map((place) => places[place]!), isSilent: row.instead.length === 0 }
    return row.kind === 'place' ? places[row.place]! : null
  })
  const rest = without(samples, passages)
  const heard = await recognise(tool, rest.samples, confirmedGrammar(items), { ...timeLeft(clock), extra: sharp })
  const found = new Map<string, Heard>()
  for (const one of heard) if (one.word.startsWith('w')) found.set(one.word, { ...one, ...rest.whole(one) })
  const named = new Map(asked.map((row, i) => [row, `w${i}`]))
  const of = (row: Said | Gap, n?: number) =>
    found.get(n === undefined ? `${named.get(row)}` : `${named.get(row)}_${n}`)
  if (asked.some((row) => !('missing' in row) && row.kind === 'place' && !of(row))) return said
  const list = rows.flatMap((row): Said[] => {
    if ('missing' in row) {
      const again = row.missing.map((place, n) => ({ place, heard: of(row, n) }))
      if (!again.every((one) => one.heard)) return row.instead
      return again.map(({ place, heard: one }) => ({
        kind: 'place',
        place,
        start: one!.start,
        end: one!.end,
        score: one!.score,
        brokenOff: false,
        repeats: false,
      }))
    }
    const one = of(row)
    const isSame = one && Math.abs(one.start - row.start) < strayed && Math.abs(one.end - row.end) < strayed
    return [isSame && row.kind === 'place' ? { ...row, start: one.start, end: one.end, score: one.score } : row]
  })
  // What stands beside the script keeps its times, as far as its neighbours leave room.
  const until = nextStarts(list)
  list.forEach((one, i) => {
    if (one.kind === 'place') return
    one.start = Math.max(one.start, list[i - 1]?.end ?? 0)
    one.end = Math.min(Math.max(one.end, one.start + 10), until[i]!)
  })
  return list
}

/** For each where the next word of the script begins, ms; Infinity where none follows. */
function nextStarts(list: readonly Said[]): number[] {
  const starts: number[] = []
  let next = Infinity
  for (let i = list.length - 1; i >= 0; i--) {
    starts[i] = next
    const { kind, start } = list[i]!
    if (kind === 'place') next = start
  }
  return starts
}

type Span = { start: number; end: number }

/** What stands beside the script from word to word, with the pauses in it. */
function passagesBeside(rows: readonly (Said | Gap)[]): (Span & { list: (Said | Gap)[] })[] {
  const passages: (Span & { list: (Said | Gap)[] })[] = []
  rows.forEach((row, i) => {
    if (!('kind' in row) || row.kind !== 'other') return
    const last = passages.at(-1)
    if (last && last.list.at(-1) === rows[i - 1]) {
      last.list.push(row)
      last.end = row.end
    } else passages.push({ list: [row], start: row.start, end: row.end })
  })
  return passages
}

/** A recording without some of its passages, and where a stretch of what is left lies in the whole; ms. */
function without(samples: Int16Array, passages: readonly Span[]) {
  const rest = new Int16Array(samples.length)
  const seams: { at: number; gone: number }[] = []
  let length = 0
  let from = 0
  let gone = 0
  for (const { start, end } of passages) {
    rest.set(samples.subarray(from, start * 16), length)
    length += Math.max(0, start * 16 - from)
    from = end * 16
    gone += end - start
    seams.push({ at: start - (gone - (end - start)), gone })
  }
  rest.set(samples.subarray(from), length)
  length += Math.max(0, samples.length - from)
  /** The first seam after a moment, or in it. */
  const seamFrom = (ms: number) => firstPlace(seams.length, (n) => seams[n]!.at >= ms)
  const seamAfter = (ms: number) => firstPlace(seams.length, (n) => seams[n]!.at > ms)
  const shift = (ms: number, passed: number) => ms + (seams[passed - 1]?.gone ?? 0)
  return {
    samples: rest.subarray(0, length),
    whole({ start, end }: Span): Span {
      // Over a seam: on the side where more of it is.
      const seam = seams[seamAfter(start)]?.at ?? Infinity
      if (seam < end && seam - start >= end - seam) end = seam
      else if (seam < end) start = seam
      return { start: shift(start, seamAfter(start)), end: shift(end, seamFrom(end)) }
    },
  }
}

type Gap = { missing: number[]; instead: Said[] }

/** What was said, and between it, where a few words of the script are left out, those with what stands there instead. */
function withGaps(said: readonly Said[]): (Said | Gap)[] {
  const rows: (Said | Gap)[] = []
  let before = -1
  let instead: Said[] = []
  for (const one of said) {
    if (one.kind === 'other' && !one.brokenOff) {
      instead.push(one)
      continue
    }
    const skipped = one.kind === 'place' && !one.brokenOff ? one.place - before - 1 : 0
    if (before >= 0 && skipped > 0 && skipped <= mostAgain)
      rows.push({ missing: Array.from({ length: skipped }, (_, n) => before + 1 + n), instead })
    else rows.push(...instead)
    instead = []
    rows.push(one)
    before = one.kind === 'place' && !one.brokenOff ? one.place : -1
  }
  return [...rows, ...instead]
}

/** What has no room between its neighbours is left out: words never lie over each other. */
function inOrder(said: readonly Said[]): Said[] {
  let until = 0
  return said.filter((one) => {
    one.start = Math.max(one.start, until)
    if (one.end - one.start < 10) return false
    until = one.end
    return true
  })
}

type PlaceOf = { word: number }

function assembled(said: readonly Said[], places: readonly PlaceOf[], words: readonly ScriptWord[], source: string) {
  const list: Transcript['words'] = []
  const sure = sureness(said)
  let open: { word: number; place: number } | undefined
  said.forEach((one, i) => {
    const id = `${source}-w${list.length + 1}`
    const { start, end } = one
    if (one.kind === 'place') {
      const { word } = places[one.place]!
      const last = list.at(-1)
      if (
        last &&
        open &&
        open.word === word &&
        open.place === one.place - 1 &&
        (last.mark === 'broken-off') === one.brokenOff &&
        (last.mark === 'off-script') === one.repeats
      ) {
        last.end = end
        last.confidence = Math.min(last.confidence, sure(one.score))
        open = { word, place: one.place }
        return
      }
      open = { word, place: one.place }
      const beside = [said[i - 1], said[i + 1]].some((near) => near?.kind === 'other' && !near.brokenOff)
      const confidence = round(sure(one.score) * (beside ? 0.8 : 1))
      const mark = one.brokenOff
        ? ({ mark: 'broken-off' } as const)
        : one.repeats
          ? ({ mark: 'off-script' } as const)
          : {}
      list.push({ id, source, start, end, text: words[word]!.text, confidence, origin: 'script', ...mark })
      return
    }
    open = undefined
    if (one.kind === 'filler')
      list.push({ id, source, start, end, text: one.text, confidence: 0.8, origin: 'heard', mark: 'filler' })
    else
      list.push({
        id,
        source,
        start,
        end,
        text: unrecognised,
        confidence: 0.3,
        origin: 'heard',
        mark: one.brokenOff ? 'broken-off' : 'off-script',
      })
  })
  return { words: list }
}

/** How well a word fits beside the speaker's other words: half of them are as good as can be. */
function sureness(said: readonly Said[]): (score: number) => number {
  const scores = said.flatMap((one) => (one.kind === 'place' ? [one.score] : [])).toSorted((a, b) => a - b)
  const middle = scores[scores.length >> 1] ?? 0
  const spread = Math.max(5, middle - (scores[Math.floor(scores.length / 6)] ?? middle))
  return (score) => Math.min(0.98, Math.max(0.3, 0.98 - 0.16 * Math.max(0, (middle - score) / spread - 0.5)))
}

function unsaidWords(
  missing: readonly { place: number; at: number }[],
  places: readonly PlaceOf[],
  words: readonly ScriptWord[],
  source: string,
): Unsaid[] {
  const list: Unsaid[] = []
  for (const { place, at } of missing) {
    const { word } = places[place]!
    const before = list.at(-1)
    if (before?.to === word) continue
    if (before && before.to === word - 1 && before.at === at) {
      before.text = cutText(`${before.text} ${words[word]!.text}`, 2000)
      before.to = word
    } else list.push({ id: `${source}-u${list.length + 1}`, source, at, text: words[word]!.text, from: word, to: word })
  }
  return list
}

/** What is quiet between words. Never inside one, so that cutting a silence cuts no word. */
function silencesOf(levels: Levels, said: readonly Said[], lengthMs: number): Silence[] {
  const edges = [{ end: 0 }, ...said]
  return edges.flatMap(({ end }, i) => {
    const until = said[i]?.start ?? lengthMs
    return until - end >= leastSilence ? quietIn(levels, end, until, leastSilence) : []
  })
}

const round = (n: number) => Math.round(n * 100) / 100
