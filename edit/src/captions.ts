import { pageGroups } from './caption-breaks.ts'
import { coloursOf, type CaptionColours } from './caption-colours.ts'
import { emojiSize, emojiWidth, lineHeight, lookOf, space, type CaptionLook } from './caption-look.ts'
import { tokensOf } from './caption-words.ts'
import type { Emoji } from './emoji.ts'
import type { Measure } from './fonts.ts'
import type { Fps } from './frames.ts'
import type { Brand, Captions } from './recipe.ts'
import type { Box, Size } from './safe-area.ts'
import type { Spoken, Window } from './timeline.ts'

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
  /** Pixels kept free above the safe area's lower edge while a page is seen, for a lower third. */
  liftOf: (page: Window) => number = () => 0,
): Page[] => {
  if (!settings.on) return []
  const look = lookOf(settings, frame)
  const tokens = tokensOf(words, settings, look, measure, fps)
  const byId = new Map(tokens.map((token) => [token.id, token]))
  const colours = coloursOf(settings.colour ?? brand.primary)
  const pages = pageGroups(tokens, look, fps).map(({ from, to, split, scale }): Page => {
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
    place(
      page,
      word ? { emoji: byId.get(word.id)!.emoji!, word: word.id } : null,
      settings.position,
      frame,
      look,
      liftOf(page),
    )
  })
  return pages
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
