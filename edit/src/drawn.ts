import { pictureOf, type Emoji } from './emoji.ts'

/** What stands for sounds beside the script whose words nobody knows yet: an editor sees it, a viewer never. */
export const unrecognised = '…'

/** A text as captions draw it: without emoji, which stand beside their words there. A font's empty box is worse than nothing. */
export const drawn = (text: string): string => without(text, () => null)

/** A text as cards and lower thirds draw it: emoji that have a picture stand in it, each written in one way; others are left out. */
export const pictured = (text: string): string => without(text, pictureOf)

/** The emoji in a text, as they were typed, each with what belongs to it, in order. */
export const emojiIn = (text: string): string[] => text.match(whole) ?? []

/** Emoji that somebody typed and nobody will see, because they have no picture; each once. */
export const leftOut = (text: string): string[] => [...new Set(emojiIn(text).filter((typed) => !pictureOf(typed)))]

/** A `pictured` text in order: words as they are, emoji apart. */
export const partsOf = (text: string): (string | { emoji: Emoji })[] => {
  const parts: (string | { emoji: Emoji })[] = []
  let at = 0
  for (const { 0: typed, index } of text.matchAll(whole)) {
    const emoji = pictureOf(typed)
    if (!emoji) continue
    if (index > at) parts.push(text.slice(at, index))
    parts.push({ emoji })
    at = index + typed.length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

// Marks that the shipped fonts draw as letters (© ® ™) are none. What belongs to one: a skin's tone, a joined second one.
const more = '[\\p{Variation_Selector}\\p{Emoji_Modifier}\\u{e0020}-\\u{e007f}]*'
const one = `(?![©®™])\\p{Extended_Pictographic}${more}`
const whole = new RegExp(`[0-9#*]\\ufe0f?\\u20e3|\\p{Regional_Indicator}{2}|${one}(?:\\u200d${one})*`, 'gu')
const scraps = /\p{Regional_Indicator}|\p{Emoji_Modifier}|\u{200d}|\p{Variation_Selector}|[\u{e0020}-\u{e007f}]/gu

/** Unicode's own sign for a thing that stands in a text. */
const mark = '\ufffc'

const without = (text: string, kept: (typed: string) => Emoji | null): string => {
  const either = new RegExp(`${whole.source}|${scraps.source}`, 'gu')
  let hasPicture = false
  const bare = text.replace(either, (typed) => {
    const emoji = kept(typed)
    if (emoji) hasPicture = true
    return emoji ?? mark
  })
  if (!bare.includes(mark)) return bare.trim()
  // Runs become one sign first: to look on from each sign of a run takes the square of its length.
  const single = bare.replace(/\s+/g, ' ').replace(/\ufffc+/g, mark)
  const left = single.replace(/ ?\ufffc ?(?=[,.!?;:])|\ufffc/g, '').replace(/ +/g, ' ')
  // The comma after an emoji that stood alone.
  return hasPicture || /[\p{L}\p{N}]/u.test(left) ? left.trim() : ''
}
