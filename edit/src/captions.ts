import { contrast, inkOn, mix, stepTowards } from './contrast.ts'
import { drawn, emojiIn, unrecognised } from './drawn.ts'
import { emojiAt, isEmoji, pictureOf, plain, type Emoji } from './emoji.ts'
import type { Measure } from './fonts.ts'
import type { Fps } from './frames.ts'
import { apart } from './line.ts'
import type { Brand, Captions } from './recipe.ts'
import type { Spoken } from './timeline.ts'

/** Pixels of the output frame. */
export type Box = { x: number; y: number; width: number; height: number }
export type Size = { width: number; height: number }

export type PageWord = {
  /** The word's, or for what follows the first of several that were written in its place, one of its own. */
  id: string
  text: string
  /** As it was written: with the full stop and its emoji. */
  written: string
  /** Left edge and baseline. */
  x: number
  y: number
  width: number
  /** When it is the spoken word: from a timeline frame to the one after the last. */
  from: number
  to: number
}

/** What is seen at once: whole lines of words, from a timeline frame to the one after the last. */
export type Page = {
  from: number
  to: number
  /** Font size in pixels. */
  size: number
  lines: PageWord[][]
  emoji: { emoji: Emoji; box: Box } | null
  colours: CaptionColours
  /** Everything that is painted, shadows included. */
  box: Box
}

export type CaptionColours = { text: string; edge: string; spoken: string; spokenText: string }

/**
 * Words as they are spoken → pages. A page never crosses a sentence or a long pause and never parts a number from its
 * unit; where else it ends is weighed: full lines, no lonely word, no break after a little word, time to read.
 *
 * @param words what is heard, in timeline frames (`spokenWords`)
 * @param frame the finished picture's size in pixels
 * @param end the frame at which captions must be gone: where the closing card begins
 */
export const layout = (
  words: readonly Spoken[],
  settings: Captions,
  frame: Size,
  brand: Pick<Brand, 'primary'>,
  measure: Measure,
  fps: Fps,
  end: number,
  /** Pixels kept free above the safe area's lower edge, for a lower third. */
  lift = 0,
): Page[] => {
  if (!settings.on) return []
  const look = lookOf(settings, frame)
  const tokens = tokensOf(words, settings, look, measure, fps)
  const byId = new Map(tokens.map((token) => [token.id, token]))
  const colours = coloursOf(settings.colour ?? brand.primary)
  const pages = groups(tokens, look, fps).map(({ from, to, split, scale }): Page => {
    const size = Math.round(look.size * scale * 100) / 100
    const parts = split === null ? [tokens.slice(from, to)] : [tokens.slice(from, split), tokens.slice(split, to)]
    const lines = parts.map((line) =>
      line.map((token, i) => ({
        id: token.id,
        text: token.text,
        written: token.written,
        x: line.slice(0, i).reduce((sum, { width }) => sum + (width + space) * size, 0),
        y: 0,
        width: token.width * size,
        from: token.from,
        to: token.to,
      })),
    )
    return {
      from: tokens[from]!.from,
      to: 0,
      size,
      lines,
      emoji: null,
      colours,
      box: { x: 0, y: 0, width: 0, height: 0 },
    }
  })
  timePages(pages, fps, end)
  pages.forEach((page) => {
    const word = page.lines.flat().find(({ id }) => byId.get(id)!.emoji)
    place(page, word ? { emoji: byId.get(word.id)!.emoji!, word: word.id } : null, settings.position, frame, look, lift)
  })
  return pages
}

/**
 * Where nothing important may be: under the lowest 28 % of a vertical video the apps write their own words, and down its
 * right side stand their buttons. Other shapes keep the margin that players cover with their bars.
 */
export const safeArea = ({ width, height }: Size): Box => {
  const ratio = width / height
  const [side, top, bottom] = ratio < 0.8 ? [0.13, 0.1, 0.28] : ratio < 1.2 ? [0.08, 0.08, 0.08] : [0.14, 0.08, 0.085]
  return { x: width * side, y: height * top, width: width * (1 - 2 * side), height: height * (1 - top - bottom) }
}

/** The brand's colour behind the spoken word, moved as little as its ink needs to be read (4.5 : 1). */
export const coloursOf = (colour: string): CaptionColours => {
  const ink = inkOn(colour)
  const away = ink === '#ffffff' ? '#000000' : '#ffffff'
  const spoken = mix(
    colour,
    away,
    stepTowards(colour, away, (mixed) => contrast(mixed, ink) >= 4.5),
  )
  return { text: '#ffffff', edge: '#0b1018', spoken, spokenText: ink }
}

/** Does a sentence end with this word? */
export const endsSentence = (text: string, next: string | undefined): boolean => {
  const bare = text.replace(/["'”’)\]]+$/, '')
  if (/[?!…]$/.test(bare)) return true
  if (!bare.endsWith('.')) return false
  if (next === undefined) return true
  // "3.5", "U.S. market", "Mr. Ray" go on.
  return !(abbreviations.has(bare.toLowerCase()) || (/^(\p{L}\.)+$/u.test(bare) && !/^\p{Lu}\p{Ll}+/u.test(next)))
}

/** How strongly two words belong together: 2 for a number and its unit, 1 within a number or a name like “step one”. */
export const bond = (words: readonly string[], at: number): 0 | 1 | 2 => {
  const [one, next, after, before] = [words[at], words[at + 1], words[at + 2], words[at - 1]].map((word) =>
    plain(word ?? ''),
  )
  if (!one || !next || /[,.;:?!]$/.test(words[at]!)) return 0
  if (isNumber(one) && units.has(next)) return 2
  if ((one === 'basis' || one === 'square') && units.has(next)) return 2
  if (one === 'half' && next === 'a') return 1
  if (one === 'a' && before === 'half' && units.has(next)) return 2
  if (isNumber(one) && isNumber(next)) return 1
  if (next === 'and' && magnitudes.has(one) && isNumber(after ?? '')) return 1
  if (one === 'and' && magnitudes.has(before ?? '') && isNumber(next)) return 1
  return counted.has(one) && isNumber(next) ? 1 : 0
}

/** Between two words, in em; wide enough for the mark behind the spoken one. */
const space = 0.32
const lineHeight = 1.3
const emojiSize = 1.12
/** With the gap before it. */
const emojiWidth = emojiSize + space * 0.7

/** A part of the frame's shorter side: on a phone that is as small as its own smallest text. */
const leastSize = 0.036

/** `least`: the part of its size that a page may shrink to, `alone` that of a single long word. */
type CaptionLook = {
  lines: 1 | 2
  emoji: boolean
  size: number
  safe: Box
  width: number
  least: number
  alone: number
}

const lookOf = ({ style, size }: Captions, frame: Size): CaptionLook => {
  const ratio = frame.width / frame.height
  const short = Math.min(frame.width, frame.height)
  const lines = style === 3 || style === 5 ? 2 : 1
  const parts = ratio < 0.8 ? [0.086, 0.08] : ratio < 1.2 ? [0.068, 0.06] : [0.068, 0.06]
  const own = style === 4 ? parts[1]! * 0.85 : parts[lines - 1]!
  const safe = safeArea(frame)
  const most = short * Math.max(own * size, leastSize)
  const floor = (part: number) => Math.max(part, (short * leastSize) / most)
  return {
    lines,
    emoji: style === 2 || style === 3,
    size: most,
    safe,
    width: safe.width,
    least: floor(0.8),
    alone: floor(0.6),
  }
}

type Token = {
  id: string
  text: string
  width: number
  from: number
  to: number
  end: boolean
  bond: 0 | 1 | 2
  break?: 'page' | 'line'
  written: string
  /** What is drawn of it, with the full stop. */
  raw: string
  /** It stands at the end of this word's line. */
  emoji: Emoji | null
}

const tokensOf = (
  words: readonly Spoken[],
  settings: Captions,
  look: CaptionLook,
  measure: Measure,
  fps: Fps,
): Token[] => {
  const shown = words
    .map((one) => ({ ...one, id: one.word.id, override: settings.overrides[one.word.id] }))
    .flatMap((one) => splitIntoWords({ ...one, written: one.override?.text ?? one.word.text }))
    .map((one) => ({ ...one, raw: one.written === unrecognised ? '' : drawn(one.written) }))
    .filter(({ raw }) => raw !== '')
  // An emoji that was typed into a word is chosen for it.
  const typed = Object.fromEntries(
    shown.flatMap(({ id, written }) => {
      const one = emojiIn(written).map(pictureOf).find(Boolean)
      return one ? [[id, one]] : []
    }),
  )
  const texts = shown.map(({ raw }) => raw)
  const emojis = look.emoji
    ? chooseEmojis(
        shown.map(({ id, raw, from }) => ({ id, text: raw, from })),
        { ...typed, ...settings.emoji },
        fps.num / fps.den,
      )
    : []
  const pause = (fps.num / fps.den) * 0.9
  return shown.flatMap(({ id, from, to, raw, written, override }, i) => {
    const next = shown[i + 1]
    const end = endsSentence(raw, next?.raw) || (next !== undefined && next.from - to > pause)
    // A full stop says nothing that the page's end does not say.
    const text = /[^.]\.$/.test(raw) && end && !/\..*\.$/.test(raw) ? raw.slice(0, -1) : raw
    const token = {
      id,
      text,
      written,
      raw,
      width: measure(text, 'strong'),
      from,
      to,
      end,
      bond: bond(texts, i),
      break: override?.break,
      emoji: emojis[i] ?? null,
    }
    return inParts(token, look, measure)
  })
}

/** A word that no line holds, such as an address, on as many lines or pages as it needs; its parts share its time. */
const inParts = (token: Token, look: CaptionLook, measure: Measure): Token[] => {
  const aside = token.emoji ? emojiWidth : 0
  if ((token.width + aside) * look.size * look.alone <= look.width) return [token]
  const room = look.width / (look.size * look.least) - aside
  const parts = apart(token.text, room, (part) => measure(part, 'strong'))
  const moments = shared(token, parts)
  return parts.map((text, i): Token => {
    const [isFirst, isLast] = [i === 0, i === parts.length - 1]
    return {
      ...token,
      ...moments[i]!,
      id: isFirst ? token.id : `${token.id}~${i}`,
      text,
      // The full stop that is not drawn.
      written: isLast ? text + (token.raw === token.text ? '' : '.') : text,
      raw: text,
      width: measure(text, 'strong'),
      end: isLast && token.end,
      bond: isLast ? token.bond : 0,
      break: isFirst ? token.break : look.lines === 2 && i % 2 === 1 ? 'line' : 'page',
      emoji: isLast ? token.emoji : null,
    }
  })
}

/** Parts of what is said share its time by their letters; frames or milliseconds. */
export const shared = ({ from, to }: { from: number; to: number }, parts: readonly string[]) => {
  const letters = parts.reduce((sum, part) => sum + part.length, 0)
  const at = (passed: number) => from + Math.round(((to - from) * passed) / letters)
  let passed = 0
  return parts.map((part) => {
    const start = at(passed)
    passed += part.length
    return { from: start, to: at(passed) }
  })
}

type Written = {
  id: string
  from: number
  to: number
  written: string
  override: Captions['overrides'][string] | undefined
}

/** The words of a text with their punctuation; an emoji or a dash goes with the word before it. */
export const wordsIn = (text: string): string[] => text.split(/ (?=\S*[\p{L}\p{N}])/u)

/** Several words written in the place of one share its time by their letters. */
const splitIntoWords = <T extends Written>(one: T): T[] => {
  const parts = wordsIn(one.written)
  if (parts.length < 2 || parts.length > one.to - one.from) return [one]
  const moments = shared(one, parts)
  return parts.map((written, n) =>
    n === 0
      ? { ...one, written, ...moments[n]! }
      : { ...one, id: `${one.id}+${n}`, written, ...moments[n]!, override: undefined },
  )
}

type Group = { from: number; to: number; split: number | null; scale: number }

/** The cheapest way to divide the words into pages. */
const groups = (tokens: Token[], look: CaptionLook, fps: Fps): Group[] => {
  const best: { cost: number; group: Group | null }[] = [{ cost: 0, group: null }]
  for (let to = 1; to <= tokens.length; to++) {
    let winner: { cost: number; group: Group | null } = { cost: Infinity, group: null }
    for (let from = to - 1; from >= 0 && to - from <= 14; from--) {
      // A sentence, a pause or the editor's own break ends a page.
      if (from < to - 1 && (tokens[from]!.end || tokens[from + 1]!.break === 'page')) break
      const fit = fitOf(tokens, from, to, look)
      if (!fit && to - from > 1) break
      const page = {
        from,
        to,
        split: fit?.split ?? null,
        scale: fit?.scale ?? Math.min(look.least, look.width / (widthOf(tokens.slice(from, to)) * look.size)),
      }
      const cost = best[from]!.cost + (fit?.cost ?? 0) + pageCost(tokens, from, to, look, fps)
      if (cost < winner.cost) winner = { cost, group: page }
    }
    best.push(winner)
  }
  const found: Group[] = []
  for (let at = tokens.length; at > 0; at = found[0]!.from) found.unshift(best[at]!.group!)
  return found
}

/** How words fit into a page's lines, smaller by a little if they must; null when they do not. */
const fitOf = (
  tokens: Token[],
  from: number,
  to: number,
  look: CaptionLook,
): { split: number | null; scale: number; cost: number } | null => {
  const width = (a: number, b: number) => widthOf(tokens.slice(a, b)) * look.size
  const forced = tokens.slice(from + 1, to).findIndex((token) => token.break === 'line')
  for (const scale of [1, 0.9, 0.8]) {
    if (scale < look.least - 0.001 && scale < 1) break
    const room = look.width / scale
    const shrink = (1 - scale) * 60
    if (width(from, to) <= room && to - from <= 7 && (forced < 0 || look.lines === 1)) {
      const fill = Math.min(1, width(from, to) / room)
      return { split: null, scale, cost: shrink + (look.lines === 2 ? 6 : 14) * (1 - fill) ** 2 }
    }
    if (look.lines === 1) continue
    let best: { split: number; scale: number; cost: number } | null = null
    for (let split = from + 1; split < to; split++) {
      if (forced >= 0 && split !== from + 1 + forced) continue
      if (split - from > 7 || to - split > 7) continue
      const [first, second] = [width(from, split), width(split, to)]
      if (first > room || second > room) continue
      const lonely = (split - from === 1 ? 4 : 0) + (to - split === 1 ? 4 : 0)
      const cost =
        shrink +
        6 * ((first - second) / room) ** 2 +
        4 * (1 - (first + second) / (2 * room)) ** 2 +
        lonely +
        breakCost(tokens, split) * 0.6
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

const pageCost = (tokens: Token[], from: number, to: number, look: CaptionLook, fps: Fps): number => {
  const sentence = (from === 0 || tokens[from - 1]!.end) && tokens[to - 1]!.end
  const lonely = to - from === 1 && !sentence ? 9 : 0
  const seconds = ((tokens[to]?.from ?? tokens[to - 1]!.to) - tokens[from]!.from) / (fps.num / fps.den)
  const short = Math.max(0, 0.8 - seconds) * 8
  return 4 + lonely + short + (tokens[to - 1]!.end ? 0 : breakCost(tokens, to)) * (look.lines === 2 ? 1.2 : 1)
}

/** What it costs to part the words before and after a place. */
const breakCost = (tokens: Token[], at: number): number => {
  const [last, next] = [tokens[at - 1]!, tokens[at]]
  if (!next || next.break) return 0
  const name = compounds.has(`${plain(last.raw)} ${plain(next.raw)}`)
  const cost = last.bond === 2 ? 300 : last.bond === 1 ? 40 : name ? 9 : 0
  if (/[,;:]$/.test(last.raw)) return cost - 6
  return cost + (little.has(plain(last.raw)) ? 5 : 0) - (joining.has(plain(next.raw)) ? 2 : 0)
}

/** A page stays until the next when that comes soon, else a moment longer than its words; a word until the next one. */
const timePages = (pages: Page[], fps: Fps, end: number): void => {
  const rate = fps.num / fps.den
  pages.forEach((page, i) => {
    const words = page.lines.flat()
    const heard = words.at(-1)!.to
    const next = pages[i + 1]?.from ?? Infinity
    // Two words of one sound can begin on the same frame; the page before must still be seen.
    page.to = Math.max(
      page.from + 1,
      Math.min(end, next - heard <= rate * 0.6 ? next : Math.min(next, Math.round(heard + rate * 0.4))),
    )
    const after = pages[i + 1]
    if (after) after.from = Math.max(after.from, page.to)
    words[0]!.from = page.from
    words.forEach((word, w) => {
      word.to = Math.min(page.to, words[w + 1]?.from ?? page.to)
    })
  })
}

/**
 * Which words get an emoji: those an editor chose, then the dictionary's, longer entries first, because they say more.
 * Never two within three seconds nor the same within twelve: they mark, they do not decorate.
 */
const chooseEmojis = (
  words: readonly { id: string; text: string; from: number }[],
  byHand: Captions['emoji'],
  rate: number,
): (Emoji | null)[] => {
  const chosen: (Emoji | null)[] = words.map(({ id }) => (isEmoji(byHand[id] ?? '') ? (byHand[id] as Emoji) : null))
  const texts = words.map(({ text }) => text)
  const hits = words
    .flatMap((_, at) => {
      const hit = emojiAt(texts, at)
      return hit ? [{ ...hit, at, last: at + hit.words - 1 }] : []
    })
    .filter(({ at, last }) => words.slice(at, last + 1).every(({ id }) => byHand[id] === undefined))
    .toSorted((a, b) => b.words - a.words || a.at - b.at)
  for (const { emoji, last } of hits) {
    const near = chosen.some((other, at) => {
      if (!other) return false
      const apart = Math.abs(words[at]!.from - words[last]!.from) / rate
      return apart < 3 || (other === emoji && apart < 12)
    })
    if (!near) chosen[last] = emoji
  }
  return chosen
}

/** Gives a page its place: lines centred in the safe area, an emoji at the end of its word's line. */
const place = (
  page: Page,
  chosen: { emoji: Emoji; word: string } | null,
  position: number | null,
  frame: Size,
  look: CaptionLook,
  lift: number,
): void => {
  const { safe } = look
  const ends = page.lines.map((line) => line.at(-1)!.x + line.at(-1)!.width)
  const at = chosen ? page.lines.findIndex((line) => line.some(({ id }) => id === chosen.word)) : -1
  const wide = emojiWidth * page.size
  const height = page.size * lineHeight
  const block = page.lines.length * height
  const lowest = safe.y + safe.height - lift - block
  const top = position === null ? lowest : Math.min(lowest, Math.max(safe.y, position * frame.height - block / 2))
  const middle = safe.x + safe.width / 2
  page.lines.forEach((line, i) => {
    const left = middle - (ends[i]! + (i === at ? wide : 0)) / 2
    for (const word of line) {
      word.x += left
      // Capitals are 0.7 em high: they stand in the middle of their line.
      word.y = top + i * height + height / 2 + 0.35 * page.size
    }
    if (i === at)
      page.emoji = {
        emoji: chosen!.emoji,
        box: {
          x: left + ends[i]! + space * 0.7 * page.size,
          y: top + i * height + (height - emojiSize * page.size) / 2,
          width: emojiSize * page.size,
          height: emojiSize * page.size,
        },
      }
  })
  const widest = Math.max(...page.lines.map((_, i) => ends[i]! + (i === at ? wide : 0)))
  const rim = page.size * 0.5
  page.box = { x: middle - widest / 2 - rim, y: top - rim, width: widest + 2 * rim, height: block + 2 * rim }
}

const isNumber = (word: string): boolean => /^\$?\d[\d.,]*(%|k|m|bn)?$/.test(word) || numbers.has(word.split('-')[0]!)
const set = (words: string): Set<string> => new Set(words.split(' '))
const magnitudes = set('hundred thousand million billion')
const numbers = set(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half quarter point',
)
const units = set(
  'percent % dollar dollars cents cent year years month months week weeks day days hour hours minute minutes bps basis points square feet foot sqft acre acres mile miles bed beds bath baths bedroom bedrooms bathroom bathrooms a.m p.m am pm times percentage',
)
const counted = set('step tip number part rule reason option nmls top chapter mistake myth')
const little = set(
  'a an the of to in on at by for from with and or but so if as is are was were be been my your our his her their its this that these those i you we they he she it not no do does did can could will would might may just very about than which who what when',
)
const compounds = new Set(
  'down payment,closing costs,closing cost,closing table,loan officer,interest rate,interest rates,mortgage rate,mortgage rates,fixed rate,credit card,credit cards,credit score,real estate,first time,time buyers,monthly payment,home equity'.split(
    ',',
  ),
)
const joining = set(
  'and but or so because if when while which that who with without before after until unless than for to in on at from',
)
const abbreviations = set(
  'mr. mrs. ms. dr. jr. sr. st. ave. rd. vs. no. approx. inc. llc. etc. e.g. i.e. ste. apt. blvd.',
)
