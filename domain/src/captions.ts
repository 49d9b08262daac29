/** What a caption style is; how large, as a step of the sizes in `edit/src/caption-look.ts`. */
export type StyleFacts = {
  label: string
  lines: 1 | 2
  size: 'large' | 'medium' | 'small'
  hasEmoji: boolean
  hasTour: boolean
}

/** Caption styles (docs/specification/things.md): the number travels, the label is read. */
export const captionStyles = {
  1: { label: 'One Line', lines: 1, size: 'large', hasEmoji: false, hasTour: false },
  2: { label: 'One Line + Emojis', lines: 1, size: 'large', hasEmoji: true, hasTour: false },
  3: { label: 'Two Lines + Emojis', lines: 2, size: 'medium', hasEmoji: true, hasTour: false },
  4: { label: 'Home Tour', lines: 1, size: 'small', hasEmoji: false, hasTour: true },
  5: { label: 'Two Lines', lines: 2, size: 'medium', hasEmoji: false, hasTour: false },
} as const satisfies Record<number, StyleFacts>
export type CaptionStyle = keyof typeof captionStyles

/** In the order they are offered. */
export const captionStyleValues = [1, 2, 5, 3, 4] as const satisfies readonly CaptionStyle[]
