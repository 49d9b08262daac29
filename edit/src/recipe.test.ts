import { expect, it } from 'vitest'
import { brand, take } from '../test/take.ts'
import { mostProblems, readRecipe } from './read-recipe.ts'
import { recipeVersion, sizeOf, upgrade, wholeRecipe, type Recipe } from './recipe.ts'

const source = take(9000)
const whole = wholeRecipe([source], brand)
const word = { id: 'w', text: 'a', start: 0, end: 100, confidence: 1, origin: 'typed' } as const
const wrong = (change: (recipe: Recipe) => void) => {
  const recipe = structuredClone(whole)
  change(recipe)
  return readRecipe(recipe).problems
}

it('of a recipe full of mistakes twenty are named, and its lists are not read to their ends', () => {
  const lists = ['sources', 'keep', 'removed', 'words', 'unsaid', 'moves', 'joints', 'layers'] as const
  for (const name of lists) {
    let read = 0
    const most = name === 'sources' ? 50 : 200
    const members = Array.from({ length: most }, () => Object.defineProperty({}, 'id', { get: () => (read++, 1) }))
    const { problems } = readRecipe({ ...whole, [name]: members })
    expect([name, problems?.length]).toEqual([name, mostProblems])
    expect([name, read < most]).toEqual([name, true])
    expect(problems![0]!.where).toMatch(new RegExp(`^${name} 1`))
  }
  expect(wrong((one) => (one.words = Array.from({ length: 50 }, () => ({ ...word, source: 'b' }))))?.length).toBe(
    mostProblems,
  )
  // Their lengths are still bounded.
  expect(wrong((one) => (one.keep = []))).toEqual([{ where: 'keep', text: 'needs at least one passage' }])
  expect(readRecipe({ ...whole, words: Array.from({ length: 20_001 }, () => ({})) }).problems?.[0]?.where).toBe('words')
})

it('a recipe written as JSON reads back the same', () => {
  expect(readRecipe(JSON.parse(JSON.stringify(whole))).recipe).toEqual(whole)
})

it('an invalid recipe is refused with where and why, in words', () => {
  expect(wrong((one) => (one.keep[0]!.end = 9500))).toEqual([
    { where: 'keep 1', text: 'It ends at 9.50 s, but its source is only 9.00 s long.' },
  ])
  expect(wrong((one) => (one.keep[0]!.start = 9000))).toEqual([
    { where: 'keep 1', text: 'It ends at 9.00 s, which is not after its start at 9.00 s.' },
  ])
  expect(wrong((one) => (one.keep[0]!.source = 'b'))).toEqual([
    { where: 'keep 1', text: 'There is no source “b”. Add it, or take this out.' },
  ])
  expect(wrong((one) => (one.keep[0]!.start = 0.5))).toEqual([
    { where: 'keep 1 start', text: 'must be a whole number of milliseconds' },
  ])
  expect(wrong((one) => one.keep.push({ ...one.keep[0]! }))).toEqual([
    { where: 'keep 2', text: 'The id “k1” is used twice.' },
  ])
  const word = { source: 'a', text: 'x', start: 500, end: 900, confidence: 1, origin: 'typed' as const }
  expect(wrong((one) => one.words.push({ ...word, id: 'v' }, { ...word, id: 'w', start: 400 }))).toEqual([
    { where: 'words 2', text: 'It starts before the word in front of it. Sort words by their start.' },
  ])
  expect(wrong((one) => (one.close = { on: true, lengthMs: 0, title: '', call: '' }))).toEqual([
    { where: 'close', text: 'The card has no length. Give it one, or switch it off.' },
  ])
})

it('older recipe versions are upgraded step by step, and unknown ones are refused', () => {
  const steps = { 1: (old: object) => ({ ...old, one: true }), 2: (old: object) => ({ ...old, two: true }) }
  expect(upgrade({ version: 1 }, 3, steps).document).toEqual({ version: 3, one: true, two: true })
  expect(upgrade({ version: 0 }, 3, steps).problem?.text).toBe('Recipes of version 0 can no longer be read.')
  expect(readRecipe({ ...whole, version: recipeVersion + 1 }).problems?.[0]?.text).toMatch(/newer/)
  expect(readRecipe('[]').problems).toEqual([{ where: 'version', text: 'This is not a recipe.' }])
  expect(readRecipe({}).problems?.[0]?.where).toBe('version')
})

it('the output size has even sides in every aspect', () => {
  const size = (aspect: Recipe['frame']['aspect'], shortSide: number) =>
    sizeOf({ frame: { ...whole.frame, aspect }, output: { ...whole.output, shortSide } })
  expect(size('9:16', 1080)).toEqual({ width: 1080, height: 1920 })
  expect(size('16:9', 720)).toEqual({ width: 1280, height: 720 })
  expect(size('1:1', 540)).toEqual({ width: 540, height: 540 })
  expect(size('9:16', 542).height % 2).toBe(0)
})
