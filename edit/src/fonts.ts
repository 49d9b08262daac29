/**
 * The two fonts of everything we draw, and how wide their words are. Each file is a family of its own, so that no
 * machine looks for weights or makes them up: browser and server draw from the same bytes.
 */

export const fonts = {
  strong: { family: 'caption-strong', files: ['figtree-latin-800-normal.woff2', 'figtree-latin-ext-800-normal.woff2'] },
  plain: { family: 'caption-plain', files: ['figtree-latin-600-normal.woff2', 'figtree-latin-ext-600-normal.woff2'] },
} as const
export type FontName = keyof typeof fonts

/** Each file of `@fontsource/figtree/files` and the family it is registered under. */
export const fontFiles = Object.values(fonts).flatMap(({ family, files }) =>
  files.map((file, i) => ({ file, family: i ? `${family}-${i}` : family })),
)

/** The CSS font at a size in pixels; letters beyond Latin 1 come from the second file. */
export const fontOf = (font: FontName, size: number): string =>
  `${size}px ${fonts[font].family}, ${fonts[font].family}-1, sans-serif`

/**
 * The letters of a text that our fonts have no shape for, each once. They are drawn from whatever fonts a machine has: an
 * editor may see them where the finished video has empty boxes.
 */
export const missingFrom = (text: string): string[] => [
  ...new Set([...text].filter((letter) => !held.some(([from, to]) => letter >= from! && letter <= to!))),
]

// What the two files hold, as @fontsource/figtree tells in its unicode.json; pairs of the first and the last.
const held = [
  '\u{0}\u{2ff}',
  '\u{304}\u{304}',
  '\u{308}\u{308}',
  '\u{329}\u{329}',
  '\u{1d00}\u{1dbf}',
  '\u{1e00}\u{1eff}',
  '\u{2000}\u{206f}',
  '\u{20a0}\u{20c0}',
  '\u{2113}\u{2113}',
  '\u{2122}\u{2122}',
  '\u{2191}\u{2191}',
  '\u{2193}\u{2193}',
  '\u{2212}\u{2212}',
  '\u{2215}\u{2215}',
  '\u{2c60}\u{2c7f}',
  '\u{a720}\u{a7ff}',
  '\u{feff}\u{feff}',
].map((pair) => [...pair])

/** Width of a text in em. */
export type Measure = (text: string, font: FontName) => number

type Ruler = { font: string; measureText(text: string): { width: number } }

/** Measures with a canvas, large, because small sizes are fitted to pixels and differ from place to place. */
export const measureWith = (ruler: Ruler): Measure => {
  const known = new Map<string, number>()
  return (text, font) => {
    const key = `${font} ${text}`
    let width = known.get(key)
    if (width === undefined) {
      ruler.font = fontOf(font, 500)
      width = ruler.measureText(text).width / 500
      known.set(key, width)
    }
    return width
  }
}
