/** What stands for sounds beside the script whose words nobody knows yet: an editor sees it, a viewer never. */
export const unheard = '…'

/** Emoji and what joins them; marks that the shipped fonts draw as letters (© ® ™) are none. */
const emoji =
  /[0-9#*]\u{fe0f}?\u{20e3}|(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u{200d}|\p{Variation_Selector}|[\u{e0020}-\u{e007f}]/gu

/**
 * A text as it can be drawn: without emoji, because only those of `emoji.ts` have a picture, and a font's empty box is
 * worse than nothing.
 */
export const drawn = (text: string): string => {
  const bare = text.replace(emoji, mark)
  if (!bare.includes(mark)) return text.trim()
  const left = bare.replace(/\s*\ufffc+\s*(?=[,.!?;:])|\ufffc/g, '').replace(/\s+/g, ' ')
  // The comma after an emoji that stood alone.
  return /[\p{L}\p{N}]/u.test(left) ? left.trim() : ''
}

/** Unicode's own sign for a thing that stands in a text. */
const mark = '\ufffc'

/** The emoji in a text, each with what belongs to it, in order. */
export const emojiIn = (text: string): string[] => text.match(whole) ?? []

const whole = /[0-9#*]\ufe0f?\u20e3|(?![©®™])\p{Extended_Pictographic}\ufe0f?/gu
