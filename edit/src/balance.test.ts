import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { balanceOf, balanceRules, type Light } from './balance.ts'
import { colourSteps, gradeOf } from './colour.ts'
import { setColour, switchBalance } from './commands/colour.ts'
import { differenceOf } from './difference.ts'
import { readRecipe } from './read-recipe.ts'
import { wholeRecipe } from './recipe.ts'

const good: Light = { black: 0.04, middle: 0.48, white: 0.93, blue: 0.002, red: -0.003 }
const source = take(20_000, { id: 's1', assetId: 'a1' })
const recipe = wholeRecipe([source], brand)

test('a picture that is well as it is, a test card and a black one get no balance', () => {
  expect(balanceOf(good)).toBeNull()
  expect(balanceOf({ black: 0.4, middle: 0.45, white: 0.5, blue: 0.1, red: 0.1 })).toBeNull()
  expect(balanceOf({ black: 0, middle: 0, white: 0, blue: 0, red: 0 })).toBeNull()
})

test('a dark picture is brightened, a bright one darkened, a misty one gets its black back, and each says why', () => {
  const dark = balanceOf({ ...good, middle: 0.2, white: 0.6 })!
  expect(dark).toMatchObject({ blue: 0, red: 0, by: 'rule', on: true })
  expect(dark.gain).toBeGreaterThan(1.3)
  expect(dark.why).toBe('The picture is dark: 60% brighter.')
  const bright = balanceOf({ ...good, middle: 0.75, white: 0.99 })!
  expect(bright.gain).toBeCloseTo(0.827, 3)
  expect(bright.why).toBe('The picture is bright: 17% darker.')
  const misty = balanceOf({ ...good, black: 0.2, white: 0.8 })!
  expect(misty.lift).toBe(0.08)
  expect(misty.why).toMatch(/^The picture is flat: \d+% more contrast; misty: black is black\.$/)
})

test('a window behind the speaker does not get brighter than white', () => {
  expect(balanceOf({ ...good, middle: 0.2, white: 0.97 })).toBeNull()
})

test('a cast is taken back in part and named', () => {
  const yellow = balanceOf({ ...good, blue: -0.04, red: 0.02 })!
  expect(yellow).toMatchObject({ gain: 1, lift: 0, blue: 0.028, red: -0.014 })
  expect(yellow.why).toBe('The picture is yellow: white is white.')
  expect(balanceOf({ ...good, blue: 0.2, red: 0.2 })).toMatchObject({
    blue: -balanceRules.most,
    red: -balanceRules.most,
  })
})

test('the decision from any measured light is valid, burns nothing out and adds no cast', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  const cast = fc.double({ min: -0.1, max: 0.1, noNaN: true })
  fc.assert(
    fc.property(fc.tuple(part, part, part), cast, cast, (levels, blue, red) => {
      const [black, middle, white] = levels.toSorted((a, b) => a - b) as [number, number, number]
      const balance = balanceOf({ black, middle, white, blue, red })
      if (!balance) return
      expect(readRecipe({ ...recipe, sources: [{ ...source, balance }] }).problems).toBeUndefined()
      const grade = gradeOf(recipe.colour, balance)!
      if (white <= 0.97) expect(white * grade.luma.times + grade.luma.plus).toBeLessThanOrEqual(0.9751)
      expect(Math.hypot(blue + balance.blue, red + balance.red)).toBeLessThanOrEqual(Math.hypot(blue, red) + 1e-3)
    }),
  )
})

test('balance and sliders together are the one after the other', () => {
  const balance = { gain: 1.2, lift: 0.05, blue: 0.01, red: -0.02, by: 'rule', why: '', on: true } as const
  const colour = { brightness: 0.2, contrast: 0.3, saturation: -0.2, warmth: 0.4 }
  const step = (matrix: number[][], [r, g, b]: readonly number[]) =>
    matrix.map((row) => row[0]! * r! + row[1]! * g! + row[2]! * b! + row[3]!)
  const none = { brightness: 0, contrast: 0, saturation: 0, warmth: 0 }
  const all = (steps: ReturnType<typeof colourSteps>, point: readonly number[]) =>
    steps!.reduce((seen, matrix) => step(matrix, seen), point)
  for (const point of [
    [0.2, 0.5, 0.7],
    [0.9, 0.1, 0.4],
    [0.5, 0.5, 0.5],
  ]) {
    const inTwo = all(colourSteps(colour), all(colourSteps(none, balance), point))
    all(colourSteps(colour, balance), point).forEach((value, i) => expect(value).toBeCloseTo(inTwo[i]!, 10))
  }
  expect(colourSteps(none, { ...balance, on: false })).toBeNull()
})

test('the switch keeps the decision, decides anew where none was made, and the sliders stay within their ends', () => {
  const light = { ...good, blue: -0.04, red: 0.02 }
  const on = switchBalance('s1', true, light)(recipe)
  expect(on.sources[0]!.balance?.on).toBe(true)
  const off = switchBalance('s1', false)(on)
  expect(off.sources[0]!.balance).toEqual({ ...on.sources[0]!.balance, on: false })
  expect(differenceOf(on, off)).toEqual(['The picture is as it was recorded.'])
  expect(switchBalance('s1', false)(off)).toBe(off)
  expect(switchBalance('s1', true, good)(recipe)).toBe(recipe)
  expect(setColour({ warmth: 3 })(recipe).colour).toEqual({ brightness: 0, contrast: 0, saturation: 0, warmth: 1 })
  expect(setColour({ warmth: 0 })(recipe)).toBe(recipe)
})
