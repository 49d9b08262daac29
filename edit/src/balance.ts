import type { z } from 'zod'
import type * as schema from './read-recipe.ts'

/**
 * The automatic balance: what a take's own light says should be done about it. The numbers are measured once, where the
 * file is examined; here they become a decision with its reason.
 */

/** What a recording's pictures are like, on coded values from 0 (black) to 1 (white). */
export type Light = {
  /** The darkest hundredth of all points, the middle one, and the brightest hundredth. */
  black: number
  middle: number
  white: number
  /** How blue and how red those points are that should be grey, as differences from luma; 0 is grey. Negative: yellow, green. */
  blue: number
  red: number
}

export type Balance = z.infer<typeof schema.Balance>

/** What the rules aim at and how far they go. */
export const balanceRules = {
  /** Where black and white should lie; the way there is gone by half, for a misty picture may be meant. */
  black: 0.03,
  white: 0.94,
  share: 0.5,
  /** A face in good light lies about here: a middle below it is brightened, one far above it darkened. */
  darkest: 0.36,
  brightest: 0.62,
  /** Luma is multiplied by no more and no less. */
  gain: [0.8, 1.6],
  /** What is taken from luma at most before that. */
  lift: 0.08,
  /** A colour cast is corrected by so much of it, and at most by so much. */
  cast: 0.7,
  most: 0.05,
  /** Less than this nobody sees: no decision is made of it. */
  seenGain: 0.04,
  seenLift: 0.015,
  seenCast: 0.008,
} as const

/** What a take needs, with the reason in words; null where it is well as it is. */
export const balanceOf = (light: Light): Balance | null => {
  const { black, middle, white } = light
  const rules = balanceRules
  // Nearly one grey all over, a test card or a black take: there is nothing to go by.
  if (white - black < 0.15) return null
  const lift = within(0, (black - rules.black) * rules.share, rules.lift)
  const stretched = 1 + ((rules.white - rules.black) / (white - black) - 1) * rules.share
  const wanted =
    middle < rules.darkest
      ? (rules.darkest / Math.max(0.05, middle - lift)) ** 0.8
      : middle > rules.brightest
        ? rules.brightest / middle
        : 1
  // What is white stays below white: a window behind the speaker must not grow.
  const headroom = 0.97 / Math.max(0.2, white - lift)
  const gain = within(
    rules.gain[0],
    Math.min(middle > rules.brightest ? wanted : Math.max(wanted, stretched), headroom),
    rules.gain[1],
  )
  const towards = (cast: number) => within(-rules.most, -cast * rules.cast, rules.most)
  const [blue, red] = [towards(light.blue), towards(light.red)]
  const isTinted = Math.hypot(blue, red) >= rules.seenCast
  const isLit = Math.abs(gain - 1) >= rules.seenGain
  const isLifted = lift >= rules.seenLift
  if (!isTinted && !isLit && !isLifted) return null
  return {
    gain: isLit ? round(gain) : 1,
    lift: isLifted ? round(lift) : 0,
    blue: isTinted ? round(blue) : 0,
    red: isTinted ? round(red) : 0,
    by: 'rule',
    why: reasonOf(light, { gain: isLit ? gain : 1, lift: isLifted ? lift : 0, blue, red, isTinted }),
    on: true,
  }
}

type Found = { gain: number; lift: number; blue: number; red: number; isTinted: boolean }

const reasonOf = ({ middle }: Light, { gain, lift, blue, red, isTinted }: Found): string => {
  const percent = Math.round(Math.abs(gain - 1) * 100)
  const parts = [
    ...(gain > 1
      ? [middle < balanceRules.darkest ? `dark: ${percent}% brighter` : `flat: ${percent}% more contrast`]
      : []),
    ...(gain < 1 ? [`bright: ${percent}% darker`] : []),
    ...(lift > 0 ? ['misty: black is black'] : []),
    ...(isTinted ? [`${castOf(-blue, -red)}: white is white`] : []),
  ]
  return `The picture is ${parts.join('; ')}.`
}

/** The name of a colour cast, from its differences of blue and red. */
const castOf = (blue: number, red: number): string => {
  if (blue < 0 && red >= 0) return 'yellow'
  if (red >= 0) return 'pinkish'
  return blue > 0.005 ? 'bluish' : 'greenish'
}

const within = (least: number, value: number, most: number): number => Math.max(least, Math.min(most, value))
const round = (value: number): number => Math.round(value * 1000) / 1000
