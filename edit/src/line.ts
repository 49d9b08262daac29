import { partsOf } from './drawn.ts'
import type { Emoji } from './emoji.ts'
import { fontOf, type FontName, type Measure } from './fonts.ts'
import type { Context2d, Pictures } from './paint.ts'

/** Lines of text as cards and lower thirds show them, with pictures of emoji between the words. */

/** Pixels of the frame; `x` is the left edge, `y` the baseline. */
export type Line = {
  text: string
  font: FontName
  size: number
  x: number
  y: number
  width: number
  pieces: ({ text: string; at: number } | { emoji: Emoji; at: number })[]
}

/** A line at the origin. `text` is a `pictured` one. */
export const lineOf = (text: string, font: FontName, size: number, measure: Measure): Line => {
  let at = 0
  const pieces = partsOf(text).map((part) => {
    const here = at
    at += (typeof part === 'string' ? measure(part, font) : emojiRoom) * size
    return typeof part === 'string' ? { text: part, at: here } : { ...part, at: here }
  })
  return { text, font, size, x: 0, y: 0, width: at, pieces }
}

type Fit = {
  font: FontName
  /** Pixels: as large as it may be, and below which nobody can read it. */
  size: number
  least: number
  width: number
  /** So many lines, if they can be read. */
  most: number
}

/**
 * A text in lines of this width, about as long as each other: smaller where there would be too many, and at the least size as
 * many as it takes. Between what a no-break space joins no line ends.
 */
export const linesOf = (text: string, { font, size, least, width, most }: Fit, measure: Measure): Line[] => {
  const wide = (part: string, fit: number) => lineOf(part, font, fit, measure).width
  for (let fit = size; ; fit = Math.max(least, fit * 0.94)) {
    const isLast = fit <= least
    const words = text
      .split(/[^\S\u00a0]+/)
      .flatMap((word) => (isLast ? apart(word, width, (part) => wide(part, fit)) : [word]))
    const widest = (lines: readonly string[]) => Math.max(...lines.map((line) => wide(line, fit)))
    let lines = filled(words, width, (line) => wide(line, fit))
    const fits = lines.length <= most && widest(lines) <= width
    if (!fits && !isLast) continue
    // As narrow as so many lines can be: none is left with a single word.
    for (;;) {
      const narrower = filled(words, widest(lines) - 0.01, (line) => wide(line, fit))
      if (narrower.length > lines.length || widest(narrower) >= widest(lines)) break
      lines = narrower
    }
    return lines.map((line) => lineOf(line, font, fit, measure))
  }
}

const filled = (words: readonly string[], width: number, widthOf: (line: string) => number): string[] => {
  const lines: string[] = []
  for (const word of words) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word
    if (lines.length && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  // What parts two things says nothing at the end of a line.
  return lines.map((line, i) => (i < lines.length - 1 ? line.replace(/(?<=.) ·$/u, '') : line))
}

/**
 * A word that is wider than a line → parts that fit, about as long as each other: after the signs of an address or a link
 * where one is near, else with a hyphen between its letters.
 */
export const apart = (word: string, room: number, widthOf: (text: string) => number): string[] => {
  const whole = widthOf(word)
  if (whole <= room) return [word]
  const letters = [...word]
  // What somebody has to type again gets no sign that is not in it.
  const isAddress = /[\p{L}\p{N}][/@_.:?=&#][\p{L}\p{N}/]|\p{N}/u.test(word)
  const goal = whole / Math.ceil(whole / room)
  let best: { at: number; part: string; cost: number } | null = null
  for (let at = 1; at < letters.length; at++) {
    const head = letters.slice(0, at).join('')
    const isSign = /[^\p{L}\p{N}\p{M}]$/u.test(head)
    const part = isSign || isAddress ? head : `${head}-`
    const width = widthOf(part)
    if (width > room && best) break
    const cost = Math.abs(width - goal) + (isSign ? 0 : goal * 0.4)
    if (!best || cost < best.cost) best = { at, part, cost }
  }
  if (!best) return [word]
  return [best.part, ...apart(letters.slice(best.at).join(''), room, widthOf)]
}

/** Paints a line in the context's colour. */
export const writeLine = <P>(
  context: Context2d<P>,
  { font, size, x, y, pieces }: Line,
  pictures: Pictures<P>,
): void => {
  context.font = fontOf(font, size)
  context.textAlign = 'left'
  context.textBaseline = 'alphabetic'
  for (const piece of pieces) {
    if ('text' in piece) context.fillText(piece.text, x + piece.at, y)
    else {
      const picture = pictures.get(piece.emoji)
      const side = emojiSize * size
      // Capitals are 0.7 em high: a picture stands in their middle.
      if (picture)
        context.drawImage(
          picture,
          x + piece.at + ((emojiRoom - emojiSize) / 2) * size,
          y - 0.35 * size - side / 2,
          side,
          side,
        )
    }
  }
}

const emojiSize = 1.1
const emojiRoom = 1.16
