import type { Recipe } from './recipe.ts'

/**
 * The recipe's colour as one step on coded R'G'B' from 0 to 1: three rows of four numbers, for red, green, blue and what
 * is added. The render does the same on Rec.709's luma and chroma, where it costs least; null where nothing changes.
 */
export const colourMatrix = ({ brightness, contrast, saturation, warmth }: Recipe['colour']): number[][] | null => {
  if (!brightness && !contrast && !saturation && !warmth) return null
  const [light, full] = [1 + contrast / 2, 1 + saturation]
  const added = [0.5 * (1 - light) + 0.2 * brightness, (-12 * warmth) / 224, (12 * warmth) / 224]
  const scaled = toLuma.map((row, i) => row.map((value) => value * [light, full, full][i]!))
  return fromLuma.map((row) => [
    ...[0, 1, 2].map((column) => row.reduce((sum, value, i) => sum + value * scaled[i]![column]!, 0)),
    row.reduce((sum, value, i) => sum + value * added[i]!, 0),
  ])
}

const [red, green, blue] = [0.2126, 0.7152, 0.0722]
/** Luma, and the differences of blue and red from it, from −0.5 to 0.5. */
const toLuma = [
  [red, green, blue],
  [-red, -green, 1 - blue].map((value) => value / (2 * (1 - blue))),
  [1 - red, -green, -blue].map((value) => value / (2 * (1 - red))),
]
const fromLuma = [
  [1, 0, 2 * (1 - red)],
  [1, (-2 * blue * (1 - blue)) / green, (-2 * red * (1 - red)) / green],
  [1, 2 * (1 - blue), 0],
]
