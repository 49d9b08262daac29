import { emojiWidth, space, type CaptionLook } from './caption-look.ts'
import type { Token } from './caption-words.ts'
import { plain } from './emoji.ts'
import { compounds, joining, little } from './english.ts'
import type { Fps } from './frames.ts'

type Group = { from: number; to: number; split: number | null; scale: number }

/** So many words at most are read at one glance. */
const mostWords = { inLine: 7, onPage: 14 }
/** The sizes that are tried, as parts of the style's own. */
const sizes = [1, 0.9, 0.8]
/** A page is seen so long, s, to be read without hurry. */
const unhurried = 0.8
/**
 * What counts against a way to divide the words; only how they stand to each other matters. Set by eye on the pinned
 * pictures of every style.
 */
const costs = {
  page: 4,
  /** Letters of no size at all; 0.9 of the size costs a tenth. */
  shrinking: 60,
  /** A line without words, in a style of one line and in one of two; half full costs a quarter. */
  emptyLine: { 1: 14, 2: 6 },
  /** Of two lines: one full, the other empty; and both empty. */
  unevenLines: 6,
  emptyLines: 4,
  /** A word alone in a line, or on a page that is no sentence. */
  aloneInLine: 4,
  aloneOnPage: 9,
  /** For each second that a page is seen too short. */
  hurry: 8,
  /** Parting two words at the end of a line counts for less than at the end of a page. */
  lineEnd: 0.6,
  pageEnd: { 1: 1, 2: 1.2 },
  /** Parting a number from its unit, words of one number, words of one name, a little word from what it belongs to. */
  unit: 300,
  number: 40,
  name: 9,
  little: 5,
  /** Parting what the editor joined, where it does not fit on one page. */
  joined: 1000,
  /** Where a break is welcome: after a comma, before a joining word. */
  comma: -6,
  joining: -2,
}

/** The cheapest way to divide the words into pages. */
export const pageGroups = (tokens: Token[], look: CaptionLook, fps: Fps): Group[] => {
  const measured = { width: widthsOf(tokens), breakCost: breakCosts(tokens) }
  const best: { cost: number; group: Group | null }[] = [{ cost: 0, group: null }]
  for (let to = 1; to <= tokens.length; to++) {
    let winner: { cost: number; group: Group | null } = { cost: Infinity, group: null }
    for (let from = to - 1; from >= 0 && to - from <= mostWords.onPage; from--) {
      // A sentence, a pause or the editor's own break ends a page; a page that the editor joined goes on.
      if (from < to - 1 && endsPage(tokens, from + 1)) break
      const fit = fitOf(tokens, from, to, look, measured)
      if (!fit && to - from > 1) break
      const page = {
        from,
        to,
        split: fit?.split ?? null,
        scale: fit?.scale ?? Math.min(look.least, look.width / (measured.width(from, to) * look.size)),
      }
      const cost = best[from]!.cost + (fit?.cost ?? 0) + pageCost(tokens, from, to, look, fps, measured)
      if (cost < winner.cost) winner = { cost, group: page }
    }
    best.push(winner)
  }
  const found: Group[] = []
  for (let at = tokens.length; at > 0; at = found.at(-1)!.from) found.push(best[at]!.group!)
  return found.toReversed()
}

/** How words fit into a page's lines, smaller by a little if they must; null when they do not. */
const fitOf = (
  tokens: Token[],
  from: number,
  to: number,
  look: CaptionLook,
  measured: Measured,
): { split: number | null; scale: number; cost: number } | null => {
  const width = (a: number, b: number) => measured.width(a, b) * look.size
  const forced = tokens.slice(from + 1, to).findIndex((token) => token.break === 'line')
  for (const scale of sizes) {
    if (scale < look.least - 0.001 && scale < 1) break
    const room = look.width / scale
    const shrink = (1 - scale) * costs.shrinking
    if (width(from, to) <= room && to - from <= mostWords.inLine && (forced < 0 || look.lines === 1)) {
      const fill = Math.min(1, width(from, to) / room)
      return { split: null, scale, cost: shrink + costs.emptyLine[look.lines] * (1 - fill) ** 2 }
    }
    if (look.lines === 1) continue
    let best: { split: number; scale: number; cost: number } | null = null
    for (let split = from + 1; split < to; split++) {
      if (forced >= 0 && split !== from + 1 + forced) continue
      if (split - from > mostWords.inLine || to - split > mostWords.inLine) continue
      const [first, second] = [width(from, split), width(split, to)]
      if (first > room || second > room) continue
      const lonely = (Number(split - from === 1) + Number(to - split === 1)) * costs.aloneInLine
      const cost =
        shrink +
        costs.unevenLines * ((first - second) / room) ** 2 +
        costs.emptyLines * (1 - (first + second) / (2 * room)) ** 2 +
        lonely +
        measured.breakCost(split) * costs.lineEnd
      if (!best || cost < best.cost) best = { split, scale, cost }
    }
    if (best) return best
  }
  return null
}

/** Of a line of words with its emoji, em. */
const widthOf = (line: readonly Token[]): number =>
  line.reduce(
    (sum, { width }) => sum + width,
    (line.length - 1) * space + (line.some(({ emoji }) => emoji) ? emojiWidth : 0),
  )

/** What is asked again and again while ways to divide the words are weighed. */
type Measured = {
  /** Of the words [from, to) in one line with their emoji, em. */
  width: (from: number, to: number) => number
  /** What it costs to part the words before and after a place. */
  breakCost: (at: number) => number
}

const widthsOf = (tokens: Token[]): Measured['width'] => {
  const known: number[] = []
  return (from, to) => (known[from * (mostWords.onPage + 1) + to - from] ??= widthOf(tokens.slice(from, to)))
}

const breakCosts = (tokens: Token[]): Measured['breakCost'] => {
  const known: number[] = []
  return (at) => (known[at] ??= breakCost(tokens, at))
}

const pageCost = (
  tokens: Token[],
  from: number,
  to: number,
  look: CaptionLook,
  fps: Fps,
  measured: Measured,
): number => {
  const sentence = (from === 0 || tokens[from - 1]!.end) && tokens[to - 1]!.end
  const lonely = to - from === 1 && !sentence ? costs.aloneOnPage : 0
  const seconds = ((tokens[to]?.from ?? tokens[to - 1]!.to) - tokens[from]!.from) / (fps.num / fps.den)
  const short = Math.max(0, unhurried - seconds) * costs.hurry
  return costs.page + lonely + short + (isFreeEnd(tokens, to) ? 0 : measured.breakCost(to)) * costs.pageEnd[look.lines]
}

const isFreeEnd = (tokens: Token[], at: number): boolean => tokens[at - 1]!.end && tokens[at]?.break !== 'joined'

const endsPage = (tokens: Token[], at: number): boolean =>
  tokens[at]!.break === 'page' || (tokens[at - 1]!.end && tokens[at]!.break !== 'joined')

/** What it costs to part the words before and after a place. */
const breakCost = (tokens: Token[], at: number): number => {
  const [last, next] = [tokens[at - 1]!, tokens[at]]
  if (next?.break === 'joined') return costs.joined
  if (!next || next.break) return 0
  const name = compounds.has(`${plain(last.raw)} ${plain(next.raw)}`)
  const cost = last.bond === 2 ? costs.unit : last.bond === 1 ? costs.number : name ? costs.name : 0
  if (/[,;:]$/.test(last.raw)) return cost + costs.comma
  return cost + (little.has(plain(last.raw)) ? costs.little : 0) + (joining.has(plain(next.raw)) ? costs.joining : 0)
}
