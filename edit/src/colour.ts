import type { Balance } from './balance.ts'
import type { Recipe } from './recipe.ts'

/** What happens to luma, from 0 to 1, and to the differences of blue and red from it, from −0.5 to 0.5: times, then plus. */
export type Grade = Record<'luma' | 'blue' | 'red', { times: number; plus: number }>

/** A source's balance and then the recipe's colour in one step; null where nothing changes. */
export const gradeOf = (
  { brightness, contrast, saturation, warmth }: Recipe['colour'],
  balance?: Balance | null,
): Grade | null => {
  const { gain, lift, blue, red } = balance?.on ? balance : none
  if (!brightness && !contrast && !saturation && !warmth && gain === 1 && !lift && !blue && !red) return null
  const [light, full] = [1 + contrast / 2, 1 + saturation]
  return {
    luma: { times: gain * light, plus: -lift * gain * light + 0.5 * (1 - light) + 0.2 * brightness },
    blue: { times: gain * full, plus: blue * gain * full - (12 * warmth) / 224 },
    red: { times: gain * full, plus: red * gain * full + (12 * warmth) / 224 },
  }
}

const none = { gain: 1, lift: 0, blue: 0, red: 0 }

/** Three rows of four numbers: times red, green and blue, and what is added. */
export type ColourMatrix = number[][]

/**
 * The same on coded R'G'B' from 0 to 1, in two steps: to luma and the differences, each from 0 to 1 with 0.5 for no difference,
 * and back. Whoever cuts off at 0 and 1 after each of them shows what the render does, which works on Rec.709's luma and
 * chroma because there it costs least; null where nothing changes.
 */
export const colourSteps = (
  colour: Recipe['colour'],
  balance?: Balance | null,
): [there: ColourMatrix, back: ColourMatrix] | null => {
  const grade = gradeOf(colour, balance)
  if (!grade) return null
  const steps = [grade.luma, grade.blue, grade.red]
  const there = toLuma.map((row, i) => [
    ...row.map((value) => value * steps[i]!.times),
    steps[i]!.plus + (i === 0 ? 0 : 0.5),
  ])
  const back = fromLuma.map(([luma, blue, red]) => [luma!, blue!, red!, -0.5 * (blue! + red!)])
  return [there, back]
}

const [redPart, greenPart, bluePart] = [0.2126, 0.7152, 0.0722]
/** Luma, and the differences of blue and red from it, from −0.5 to 0.5. */
const toLuma = [
  [redPart, greenPart, bluePart],
  [-redPart, -greenPart, 1 - bluePart].map((value) => value / (2 * (1 - bluePart))),
  [1 - redPart, -greenPart, -bluePart].map((value) => value / (2 * (1 - redPart))),
]
const fromLuma = [
  [1, 0, 2 * (1 - redPart)],
  [1, (-2 * bluePart * (1 - bluePart)) / greenPart, (-2 * redPart * (1 - redPart)) / greenPart],
  [1, 2 * (1 - bluePart), 0],
]
