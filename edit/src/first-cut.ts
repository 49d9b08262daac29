import { cutText } from '@clear-to-post/domain/cut-text'
import type { TakeLog } from '@clear-to-post/domain/take-log'
import { unrecognised } from './drawn.ts'
import { plain } from './emoji.ts'
import { bond, endsSentence, isFiller } from './english.ts'
import { rules } from './first-cut-rules.ts'
import { focusFor } from './focus.ts'
import { inScript, wordsOfScript } from './in-script.ts'
import { unsaidWithin, wordsWithin } from './fit-words.ts'
import type { Person } from './person.ts'
import { retakesIn } from './retakes.ts'
import { withSaidAnew } from './said-anew.ts'
import {
  wholeRecipe,
  type Aspect,
  type Brand,
  type Captions,
  type Move,
  type Recipe,
  type Removed,
  type Source,
  type Span,
  type Word,
} from './recipe.ts'
import { timelineOf } from './timeline.ts'
import { faultsOf, triesOf, type Faults, type Heard, type Try } from './tries.ts'

/**
 * The first cut: rules that anyone can read, each decision with its reason and a switch of its own. A rule never cuts
 * into a word, and takes away only what is silent, a filler, or a try that was made again. Where no words are known, no
 * rule knows where somebody speaks, and the take stays whole. Whatever words come in, a valid recipe comes out, which
 * shows something.
 */

export type FirstCut = {
  sources: Source[]
  /** In any order; what a recipe cannot hold of them is cut off or left out (`wordsWithin`). */
  words: Word[]
  unsaid?: Recipe['unsaid']
  /** Where the sound is silent; a gap between words that is not silent may be speech nobody understood, and stays. */
  silences: Span[]
  /** Where the picture has ended and its last moment stands while the sound goes on. */
  stills?: Span[]
  /** Where the person is, by source; none for one without a person, or that nobody examined. */
  people?: ReadonlyMap<string, Person>
  /** How loud the takes are heard to be, by source; of one without it nobody knows which try is too quiet. */
  heard?: Heard
  /** What the recorder noted of the takes, by source; none of a file that was chosen. */
  logs?: ReadonlyMap<string, TakeLog>
  /** What was to be read: what repeats itself there is no second try. */
  script?: string
  brand: Brand
  style: Captions['style']
  aspect?: Aspect
  tour?: Captions['tour']
}

export const firstCut = ({
  sources,
  words: given,
  unsaid = [],
  silences,
  stills = [],
  people = new Map(),
  heard,
  logs = new Map(),
  script = '',
  brand,
  style,
  aspect = '9:16',
  tour = null,
}: FirstCut): Recipe => {
  const whole = wholeRecipe(sources, brand, style)
  const read = readOf(script)
  const words = wordsWithin(sources, given)
  const removed: Draft[] = []
  const moves: Omit<Move, 'id'>[] = []
  /** Words of tries that stay although they were said again. */
  const kept = new Set<string>()
  for (const source of sources) {
    const own = words.filter((word) => word.source === source.id)
    if (own.length === 0) continue
    const placed = withPlaces(own)
    const log = logs.get(source.id)
    const said = log ? retakes(own, log) : []
    const marked = new Set(said.flatMap((one) => one.words))
    const rest = own.filter((word) => !marked.has(word))
    const { givenUp, better } = withBestTries(placed, [...said, ...brokenOff(rest, read)], marked, heard)
    for (const word of better) kept.add(word.id)
    const unwanted = [...fillers(own), ...givenUp]
    const gone = new Set(unwanted.flatMap(({ words }) => words))
    removed.push(...unwanted.flatMap(({ words, reason, why }) => around(placed, words, gone, reason, why)))
    removed.push(...offScript(placed, gone))
    const isOfSource = (span: Span) => span.source === source.id
    removed.push(...dead(source, own, silences.filter(isOfSource), stills.filter(isOfSource)))
    moves.push(
      ...emphasis(
        source,
        own.filter((word) => !gone.has(word)),
        moves.at(-1)?.kind,
      ),
    )
  }
  const focus = sources
    .flatMap((source) => {
      const person = people.get(source.id)
      return person ? focusFor(source, person, removed) : []
    })
    .slice(0, most.focus)
    .map((one, i) => ({ ...one, id: `f${i + 1}` }))
  const recipe = {
    ...whole,
    // Where nobody speaks there is no room to be told from what is heard.
    ...(words.length > 0 && { sound: { ...whole.sound, tone: true } }),
    ...(focus.length > 0 && { focus }),
    words: words.map((word) => (word.mark === 'broken-off' && kept.has(word.id) ? unmarked(word) : word)),
    unsaid: unsaidWithin(sources, unsaid),
    removed: removed
      .toSorted((a, b) => order(sources, a) - order(sources, b))
      .slice(0, most.removed)
      .map((one, i) => ({ ...one, id: `r${i + 1}` })),
    moves: moves.slice(0, most.moves).map((one, i) => ({ ...one, id: `m${i + 1}` })),
    captions: { ...whole.captions, tour },
    close: { on: true, lengthMs: rules.card, title: '', call: 'Questions? Send me a message.' },
    frame: { ...whole.frame, aspect },
  }
  // Nothing would be left: the rules are wrong about this take, and a person chooses.
  const isEmpty = timelineOf(recipe).pieces.length === 0
  if (isEmpty) return { ...recipe, removed: recipe.removed.map((one) => ({ ...one, on: false })) }
  return withSaidAnew(recipe, logs, (run, why) => {
    const own = recipe.words.filter(({ source }) => source === run[0]!.source)
    return around(withPlaces(own), run, new Set(run), 'broken-off', why)
  })
}

type Draft = Omit<Removed, 'id'>
/** Words, and where each stands among them: as many are asked for their neighbours as there are. */
type Placed = { words: Word[]; places: ReadonlyMap<Word, number> }

const withPlaces = (words: Word[]): Placed => ({ words, places: new Map(words.map((word, i) => [word, i])) })

type Unwanted = { words: Word[]; reason: Removed['reason']; why: string }

/** Fillers, neighbours together. */
const fillers = (words: Word[]): Unwanted[] =>
  runs(words, (_, i) => isFiller(words, i)).map((run) => ({
    words: run,
    reason: 'filler',
    why: `Filler: “${shortened(run)}”.`,
  }))

/** Tries that the officer gave up while recording, by saying so. */
const retakes = (words: Word[], log: TakeLog): Unwanted[] =>
  retakesIn(words, log).map((run) => ({
    words: run,
    reason: 'broken-off',
    why: `The officer pressed “Again from here” after: “${shortened(run)}”.`,
  }))

/** A script as takes are compared with it; once for all of them, because that it is sorted takes long. */
const readOf = (script: string) => {
  const written = wordsOfScript(script)
  return { written, read: inScript(written, 2 * longestTry) }
}

/**
 * Tries that were given up or made again. What the comparison with the script marked is believed; beyond that a try is
 * known by its words being said again right after it. The last complete try stays.
 */
const brokenOff = (words: Word[], { written, read }: ReturnType<typeof readOf>): Unwanted[] => {
  const found: Unwanted[] = runs(words, (word) => word.mark === 'broken-off').map((run) => ({
    words: run,
    reason: 'broken-off',
    why: `Broken off and said again: “${shortened(run)}”.`,
  }))
  const known = new Set(found.flatMap((one) => one.words))
  const rest = words.filter((word, i) => !known.has(word) && !isFiller(words, i))
  // What nobody knows is like nothing else, least of all like the next such passage; and a sentence of the script that
  // stands beside it is known to be said once more: a person chooses.
  const isAlone = ({ text, mark, origin }: Word) =>
    text === unrecognised || (mark === 'off-script' && origin === 'script')
  const said = rest.map((word, i) => (isAlone(word) ? `${unrecognised}${i}` : plain(word.text)))
  // How much more often than it was said the script has a word. What the comparison marked stands for none of its words.
  const unsaid = new Map<string, number>()
  const count = (text: string, by: number) => unsaid.set(text, (unsaid.get(text) ?? 0) + by)
  for (const text of written) count(text, 1)
  said.forEach((text, i) => rest[i]!.mark || count(text, -1))
  const isWritten = said.map((text, i) => !rest[i]!.mark && unsaid.get(text)! >= 0)
  let from = 0
  while (from < rest.length) {
    const again = retryOf({ words: rest, said, isWritten, read }, from)
    if (again) {
      const run = rest.slice(again.from, again.to)
      found.push({ words: run, reason: 'broken-off', why: `${again.why}: “${shortened(run)}”.` })
      // When the second try was the broken one, the first stays and is compared no more.
      from = again.to
    } else from++
  }
  return found
}

/**
 * The last complete try of a sentence stays, unless an earlier one has clearly fewer faults: then that one does, and the
 * reason says why. A try of `marked` words stays away: its officer heard it.
 */
const withBestTries = (
  { words: own, places }: Placed,
  givenUp: Unwanted[],
  marked: ReadonlySet<Word>,
  heard: Heard | undefined,
): { givenUp: Unwanted[]; better: ReadonlySet<Word> } => {
  const gone = new Set(givenUp.flatMap(({ words }) => words))
  const better = new Set<Word>()
  const instead: Unwanted[] = []
  for (const { tries, best } of triesOf(own, (word) => gone.has(word), heard)) {
    const [last, ...more] = tries.filter(({ isIn }) => isIn)
    const chosen = tries[best]!
    if (chosen.words.some((word) => marked.has(word))) continue
    if (!last || more.length > 0 || chosen === last || faultsOf(last) - faultsOf(chosen) < rules.better) continue
    for (const word of chosen.words) better.add(word)
    const words = last.words.filter((word, i) => !isFiller(last.words, i) && !gone.has(word))
    const why = `Said again, and an earlier try sounds better (${faultsSaid(last, chosen)}): “${shortened(words)}”.`
    instead.push({ words, reason: 'broken-off', why })
  }
  if (instead.length === 0) return { givenUp, better }
  const kept = givenUp.flatMap((one) => {
    const left: Word[][] = []
    for (const word of one.words.filter((word) => !better.has(word))) {
      const before = left.at(-1)?.at(-1)
      if (before && places.get(before)! + 1 === places.get(word)) left.at(-1)!.push(word)
      else left.push([word])
    }
    return left.map((words) => ({ ...one, words }))
  })
  return { givenUp: [...kept, ...instead], better }
}

const unmarked = (word: Word): Word => {
  const { mark: _, ...bare } = word
  return bare
}

/** What one try has more of than another: `2 fillers and a pause fewer`. */
const faultsSaid = (last: Try, better: Try): string => {
  const fewer = (kind: keyof Faults) => last.faults[kind] - better.faults[kind]
  const counted = (n: number, one: string, many: string) => (n <= 0 ? [] : [n === 1 ? `1 ${one}` : `${n} ${many}`])
  const parts = [
    ...counted(fewer('fillers'), 'filler', 'fillers'),
    ...counted(fewer('pauses'), 'pause', 'pauses'),
    ...counted(fewer('unsure'), 'unclear word', 'unclear words'),
  ]
  const said = parts.length > 0 ? [`${parts.join(', ')} fewer`] : []
  return [...said, ...(fewer('quiet') > 0 ? ['louder'] : [])].join(', and ')
}

/** A try has so many words at most. */
const longestTry = 40

type Compared = { words: Word[]; said: string[]; isWritten: boolean[]; read: ReturnType<typeof inScript> }

/** Is what begins at `from` said again? Which of both goes, and why. */
const retryOf = (
  { words, said, isWritten, read }: Compared,
  from: number,
): { from: number; to: number; why: string } | null => {
  // The longest try first: three tries of one sentence are two that go.
  let inRow: number | undefined
  for (let start = Math.min(words.length - 1, from + longestTry); start >= from + 2; start--) {
    if (said[start] !== said[from]) continue
    const tried = start - from
    let [same, both] = [0, 0]
    while (same < tried && start + same < said.length && said[from + same] === said[start + same]) {
      if (isWritten[from + same] && isWritten[start + same]) both++
      same++
    }
    // The script has it twice, whatever was said between. One word of it may be misheard.
    if (2 * both >= same) continue
    inRow ??= read(said, from)
    if (inRow >= tried + same) continue
    const pause = words[start]!.start - words[start - 1]!.end
    const enough = same >= rules.repeated || (same >= rules.repeatedAfterPause && pause >= rules.pause)
    // The last word of a try is often only half of one.
    const halfWord = same === tried - 1 && said[start + same]?.startsWith(said[start - 1]!.replace(/-$/, ''))
    if (enough && (same === tried || halfWord)) {
      const complete = endsSentence(words[start - 1]!.text, words[start]!.text)
      return { from, to: start, why: complete ? 'Said again, the last try stays' : 'Broken off and said again' }
    }
    const last = words[start + same - 1]
    const next = words[start + same]
    if (
      same >= rules.repeated &&
      last &&
      endsSentence(words[start - 1]!.text, words[start]!.text) &&
      (!next || next.start - last.end >= rules.restAfter)
    )
      return { from: start, to: start + same, why: 'Begun again and not finished' }
  }
  return null
}

/** What stands beside the script stays, with a switch: the editor must look at it first. */
const offScript = (all: Placed, gone: ReadonlySet<Word>): Draft[] =>
  runs(all.words, (word) => word.mark === 'off-script' && !gone.has(word))
    .flatMap((run) => {
      const why = `Not in the script: “${shortened(run)}”. It stays until you switch it off.`
      return around(all, run, gone, 'off-script', why)
    })
    .map((one) => ({ ...one, on: false }))

/**
 * Unwanted words with the silence around them, but for the margins that neighbours keep who stay. None where a neighbour
 * lies over all of them, as words of careless times do.
 */
const around = (all: Placed, run: Word[], gone: ReadonlySet<Word>, reason: Removed['reason'], why: string): Draft[] => {
  const [first, last] = [run[0]!, run.at(-1)!]
  const before = all.words[all.places.get(first)! - 1]
  const after = all.words[all.places.get(last)! + 1]
  const from = before ? Math.min(first.start, before.end + (gone.has(before) ? 0 : rules.after)) : first.start
  const to = after ? Math.max(last.end, after.start - (gone.has(after) ? 0 : rules.before)) : last.end
  // The neighbours' sound comes first.
  const start = Math.max(from, before?.end ?? 0)
  const end = Math.min(to, after?.start ?? to)
  return end > start ? [{ source: first.source, start, end, reason, by: 'rule', why, on: true }] : []
}

/**
 * Dead air: silent, without words, longer than the rule allows. After the last word a picture that stands still is dead,
 * too, whatever is heard.
 */
const dead = (source: Source, words: Word[], silences: Span[], stills: Span[]): Draft[] => {
  const found: Draft[] = []
  const { noise } = rules
  let spoken = 0
  const gaps = [null, ...words].map((word, i) => ({
    from: (spoken = Math.max(spoken, word?.end ?? 0)),
    to: words[i]?.start ?? source.durationMs,
    first: word === null,
    last: i === words.length,
  }))
  const byStart = (spans: Span[]) => spans.toSorted((a, b) => a.start - b.start)
  const silent = byStart(silences)
  const dull = byStart([...silences, ...stills])
  // What ended before a gap ended before all further ones.
  let past = 0
  for (const gap of gaps) {
    const quiet: { start: number; end: number }[] = []
    while (!gap.last && past < silent.length && silent[past]!.end <= gap.from) past++
    const list = gap.last ? dull : silent
    for (let i = gap.last ? 0 : past; i < list.length && list[i]!.start < gap.to; i++) {
      const silence = list[i]!
      const start = Math.max(silence.start, gap.from)
      const end = Math.min(silence.end, gap.to)
      if (end <= start) continue
      const last = quiet.at(-1)
      if (last && start - last.end <= noise) last.end = Math.max(last.end, end)
      else quiet.push({ start, end })
    }
    for (const silence of quiet) {
      // Before the first word and after the last there is nobody to wait for.
      const edge = {
        start: gap.first && silence.start <= noise,
        end: gap.last && silence.end >= source.durationMs - noise,
      }
      if (silence.end - silence.start <= rules.silence) continue
      const start = edge.start ? 0 : silence.start + rules.after
      const end = edge.end ? source.durationMs : silence.end - rules.before
      if (end - start < rules.leastCut) continue
      const why = edge.start
        ? `Nobody speaks for the first ${seconds(end)}.`
        : edge.end
          ? `Nobody speaks in the last ${seconds(end - start)}${stills.length > 0 ? ', and the picture has ended' : ''}.`
          : `Silence of ${seconds(silence.end - silence.start)}, shortened to ${seconds(silence.end - silence.start - end + start)}.`
      found.push({ source: source.id, start, end, reason: 'silence', by: 'rule', why, on: true })
    }
  }
  return found
}

/** Nearer on numbers and calls to action, one sentence long, never the same way twice in a row. */
const emphasis = (source: Source, words: Word[], last: Move['kind'] | undefined): Omit<Move, 'id'>[] => {
  const moves: Omit<Move, 'id'>[] = []
  let kind = last
  let free = 0
  const { places } = withPlaces(words)
  for (const sentence of sentencesOf(words)) {
    const texts = sentence.map(({ text }) => text)
    const figure = texts.findIndex((_, i) => bond(texts, i) === 2 || /^\$?\d[\d.,]*%?[.,!?]?$/.test(texts[i]!))
    const said = texts.map(plain)
    const spaced = ` ${said.join(' ')} `
    const call = calls.find((one) => spaced.includes(` ${one} `))
    if (figure < 0 && !call) continue
    const at = figure < 0 ? said.indexOf(call!.split(' ')[0]!) : figure
    const part = clause(sentence, Math.max(0, at))
    const [first, final] = [part[0]!, part.at(-1)!]
    if (first.start < free || final.end - first.start < rules.leastMove) continue
    const next = words[places.get(final)! + 1]
    const before = words[places.get(first)! - 1]
    const start = Math.max(before?.end ?? 0, first.start - rules.before)
    // A take may end in the middle of its last sentence.
    const end = Math.min(next?.start ?? source.durationMs, final.end + rules.after, source.durationMs)
    if (end <= start) continue
    kind = kind === 'punch-in' ? 'push' : 'punch-in'
    moves.push({
      source: source.id,
      start,
      end,
      kind,
      scale: kind === 'punch-in' ? rules.punchIn : rules.push,
      focus: null,
      by: 'rule',
      why:
        figure < 0
          ? `Nearer for the call to action: “${shortened(part)}”.`
          : `Nearer for the number: “${shortened(part)}”.`,
      on: true,
    })
    free = final.end + rules.rest
  }
  return moves
}

/** The sentence, or when it is too long the part between commas that holds the word. */
const clause = (sentence: Word[], at: number): Word[] => {
  if (sentence.at(-1)!.end - sentence[0]!.start <= rules.move) return sentence
  const start = sentence.findLastIndex((word, i) => i < at && /[,;:]$/.test(word.text)) + 1
  const stop = sentence.findIndex((word, i) => i >= at && /[,;:.!?]$/.test(word.text))
  const part = sentence.slice(start, stop < 0 ? undefined : stop + 1)
  const long = part.findIndex((word) => word.end - part[0]!.start > rules.move)
  return long > 0 ? part.slice(0, long) : part
}

const sentencesOf = (words: Word[]): Word[][] => {
  const sentences: Word[][] = [[]]
  words.forEach((word, i) => {
    sentences.at(-1)!.push(word)
    const next = words[i + 1]
    // Without punctuation a pause tells.
    if (next && (endsSentence(word.text, next.text) || next.start - word.end > 700)) sentences.push([])
  })
  return sentences.filter((sentence) => sentence.length > 0)
}

const runs = (words: Word[], wanted: (word: Word, i: number) => boolean): Word[][] => {
  const found: Word[][] = []
  words.forEach((word, i) => {
    if (!wanted(word, i)) return
    if (i > 0 && wanted(words[i - 1]!, i - 1)) found.at(-1)!.push(word)
    else found.push([word])
  })
  return found
}

/** What `read-recipe.ts` allows; and so much of what was said leaves room for the sentence around it. */
const most = { removed: 5000, moves: 500, focus: 1000, quoted: 160 } as const

const order = (sources: Source[], { source, start }: Span): number =>
  sources.findIndex(({ id }) => id === source) * 1e9 + start
/** Eight words are enough to know which are meant, and few enough for a sentence about them. */
const shortened = (words: Word[]): string => {
  const text = words
    .slice(0, 8)
    .map(({ text }) => text)
    .join(' ')
  return words.length > 8 || text.length > most.quoted ? `${cutText(text, most.quoted)} …` : text
}
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const calls = [
  'send me',
  'message me',
  'text me',
  'call me',
  'dm me',
  'give me a call',
  'reach out',
  'tap the link',
  'click the link',
  'link below',
  'link in',
  'follow me',
  'follow for',
  'subscribe',
  'apply',
  'book a',
  'schedule a',
  'comment',
  'save this',
  'share this',
  'get pre-approved',
  'get preapproved',
]
