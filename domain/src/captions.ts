/** Caption styles (docs/specification/things.md): the number travels, the label is read. In the order they are offered. */
export const captionStyles = {
  1: 'One Line',
  2: 'One Line + Emojis',
  5: 'Two Lines',
  3: 'Two Lines + Emojis',
  4: 'Home Tour',
} as const
export type CaptionStyle = keyof typeof captionStyles
export const captionStyleValues = [1, 2, 5, 3, 4] as const satisfies readonly CaptionStyle[]
