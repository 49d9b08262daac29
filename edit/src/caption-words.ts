import { chooseEmojis } from './caption-emoji.ts'
import { emojiWidth, type CaptionLook } from './caption-look.ts'
import { drawn, emojiIn, unrecognised } from './drawn.ts'
import { pictureOf, type Emoji } from './emoji.ts'
import { bond, endsSentence } from './english.ts'
import type { Measure } from './fonts.ts'
import type { Fps } from './frames.ts'
import { apart } from './line.ts'
import type { CaptionBreak, Captions } from './recipe.ts'
import type { Spoken } from './timeline.ts'

export type Token = {
  id: string
  text: string
  width: number
  from: number
  to: number
  end: boolean
  bond: 0 | 1 | 2
  break?: CaptionBreak
  written: string
  /** What is drawn of it, with the full stop. */
  raw: string
  /** It stands at the end of this word's line. */
  emoji: Emoji | null
}

export const tokensOf = (
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

/** The words of a text with their punctuation; an emoji or a dash goes with the word before it. */
export const wordsIn = (text: string): string[] => text.split(/ (?=\S*[\p{L}\p{N}])/u)

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
