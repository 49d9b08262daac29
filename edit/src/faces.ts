/**
 * The two faces of everything we draw, and how wide their words are. Each file is a family of its own, so that no
 * machine looks for weights or makes them up: browser and server draw from the same bytes.
 */

export const faces = {
  strong: { family: 'caption-strong', files: ['figtree-latin-800-normal.woff2', 'figtree-latin-ext-800-normal.woff2'] },
  plain: { family: 'caption-plain', files: ['figtree-latin-600-normal.woff2', 'figtree-latin-ext-600-normal.woff2'] },
} as const
export type Face = keyof typeof faces

/** Each file of `@fontsource/figtree/files` and the family it is registered under. */
export const fontFiles = Object.values(faces).flatMap(({ family, files }) =>
  files.map((file, i) => ({ file, family: i ? `${family}-${i}` : family })),
)

/** The CSS font of a face at a size in pixels; letters beyond Latin 1 come from the second file. */
export const fontOf = (face: Face, size: number): string =>
  `${size}px ${faces[face].family}, ${faces[face].family}-1, sans-serif`

/**
 * The letters of a text that our faces have no shape for, each once. They are drawn from whatever fonts a machine has: an
 * editor may see them where the finished video has empty boxes.
 */
export const missingFrom = (text: string): string[] => [...new Set(text.match(beyond))]

// What the two files hold, as @fontsource/figtree tells in its unicode.json.
const beyond =
  /[^\u0000-\u02dd\u02de-\u02ff\u0304\u0308\u0329\u1d00-\u1dbf\u1e00-\u1eff\u2000-\u206f\u20a0-\u20c0\u2113\u2122\u2191\u2193\u2212\u2215\u2c60-\u2c7f\ua720-\ua7ff\ufeff\ufffd]/gu

/** Width of a text in em. */
export type Measure = (text: string, face: Face) => number

type Ruler = { font: string; measureText(text: string): { width: number } }

/** Measures with a canvas, large, because small sizes are fitted to pixels and differ from place to place. */
export const measureWith = (ruler: Ruler): Measure => {
  const known = new Map<string, number>()
  return (text, face) => {
    const key = `${face} ${text}`
    let width = known.get(key)
    if (width === undefined) {
      ruler.font = fontOf(face, 500)
      width = ruler.measureText(text).width / 500
      known.set(key, width)
    }
    return width
  }
}
