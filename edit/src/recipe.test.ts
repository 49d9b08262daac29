import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { brand, take } from '../test/take.ts'
import { mostProblems, readRecipe, Recipe as RecipeSchema } from './read-recipe.ts'
import { problemsOf, recipeVersion, sizeOf, upgrade, wholeRecipe, type Recipe } from './recipe.ts'

const source = take(9000)
const whole = wholeRecipe([source], brand)
const word = { id: 'w', text: 'a', start: 0, end: 100, confidence: 1, origin: 'typed' } as const
const wrong = (change: (recipe: Recipe) => void) => {
  const recipe = structuredClone(whole)
  change(recipe)
  return readRecipe(recipe).problems
}

it('of a recipe full of mistakes twenty are named, and its lists keep their lengths', () => {
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

it('every list of passages of a recording is held to its recording, and ends after it begins', () => {
  const isSpan = (member: unknown) =>
    member instanceof z.ZodObject && ['source', 'start', 'end'].every((field) => field in member.shape)
  const lists = Object.entries(RecipeSchema.shape).flatMap(([name, of]) => {
    const list: unknown = of instanceof z.ZodOptional ? of.unwrap() : of
    return list instanceof z.ZodArray && isSpan(list.element) ? [name as keyof Recipe] : []
  })
  expect(lists).toEqual(['keep', 'removed', 'words', 'moves', 'focus', 'flaws'])
  for (const name of lists)
    for (const [span, said] of [
      [{ source: 'b', start: 0, end: 1 }, 'There is no source “b”.'],
      [{ source: 'a', start: 100, end: 9500 }, 'but its source is only'],
      [{ source: 'a', start: 500, end: 500 }, 'which is not after its start'],
    ] as const)
      expect(problemsOf({ ...whole, [name]: [{ id: 'x', ...span }] }), name).toContainEqual({
        where: `${name} 1`,
        text: expect.stringContaining(said),
      })
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

describe('every list and record of a recipe', () => {
  type Place = { path: string[]; isList: boolean }
  const placesIn = (schema: z.ZodType, path: string[]): Place[] => {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
      return placesIn(schema.unwrap() as z.ZodType, path)
    if (schema instanceof z.ZodArray)
      return [{ path, isList: true }, ...placesIn(schema.element as z.ZodType, [...path, '0'])]
    if (schema instanceof z.ZodRecord)
      return [{ path, isList: false }, ...placesIn(schema.valueType as z.ZodType, [...path, 'x'])]
    if (schema instanceof z.ZodDiscriminatedUnion)
      return schema.options.flatMap((option) => placesIn(option as z.ZodType, path))
    if (!(schema instanceof z.ZodObject)) return []
    return Object.entries(schema.shape).flatMap(([name, part]) => placesIn(part as z.ZodType, [...path, name]))
  }
  const places = placesIn(RecipeSchema, [])
  const withParts = {
    ...whole,
    captions: { ...whole.captions, tour: { address: '', price: '', beds: '', baths: '', rooms: [] } },
    translation: { language: 'es', inPicture: false, lines: {} },
  }
  const wrongIn = ({ path, isList }: Place, count: number) => {
    let read = 0
    const tell = { get: () => (read++, null) }
    const member = () => Object.defineProperties({}, { id: tell, text: tell, kind: tell })
    const members = isList
      ? Array.from({ length: count }, member)
      : Object.fromEntries(Array.from({ length: count }, (_, i) => [`w${i}`, member()]))
    const document = structuredClone(withParts) as Record<string, unknown>
    const holder = path.slice(0, -1).reduce((part, name) => part[name] as Record<string, unknown>, document)
    holder[path.at(-1)!] = members
    return { problems: readRecipe(document).problems!, read }
  }

  it('stands in the recipe itself, not in a member of another', () => {
    expect(places.length).toBeGreaterThanOrEqual(13)
    expect(places.filter(({ path }) => path.includes('0') || path.includes('x'))).toEqual([])
  })

  const named = places.map((place) => [place.path.join(' '), place] as const)
  it.each(named)('%s has a most, asked before its members', (name, place) => {
    const { problems, read } = wrongIn(place, 20_001)
    expect(problems.map(({ where }) => where)).toEqual([name])
    expect(read).toBe(0)
  })

  it.each(named)('%s is read until twenty mistakes are found', (name, place) => {
    const most = name === 'sources' ? 50 : 200
    const { problems, read } = wrongIn(place, most)
    expect(problems).toHaveLength(mostProblems)
    expect(problems[0]!.where).toMatch(new RegExp(`^${name} (1|w0)`))
    // An emoji is no object, and nothing of it is read.
    if (name !== 'captions emoji') expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(most)
  })
})
