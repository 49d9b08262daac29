// @module-tag long
import { Session } from 'node:inspector'
import { expect, it } from 'vitest'
import { brand, take } from '../test/take.ts'
import type { List, Shape } from '../test/largest.ts'
import type { Recipe } from './recipe.ts'

type Coverage = { result: { url: string; functions: { ranges: { count: number }[] }[] }[] }

/** Asked for by `npm run prove`. */
const isLong = process.env.PROVE === 'long'

const session = new Session()
session.connect()
const ask = (method: string, params: object = {}): object => {
  let answer: object = {}
  // The session is this process's own: it answers at once.
  session.post(method, params, (error, result) => {
    if (error) throw error
    answer = result as object
  })
  return answer
}
ask('Profiler.enable')
// Only what is loaded from now on is counted block by block: all of it is imported further down.
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
/**
 * How much work this program's own code did since it was last asked: how often its functions, the bodies of its loops and
 * its branches were run, counted by V8. The same on every machine and under any load, unlike a time. What the language does
 * by itself (sorting, copying, JSON) is not seen.
 */
const workDone = (): number =>
  (ask('Profiler.takePreciseCoverage') as Coverage).result
    .filter(({ url }) => /\/(?:edit|domain|contract|server)\/src\//.test(url) && !/\.test\.ts/.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)

const { limits, lists, recipeOf } = await import('../test/largest.ts')
const { captionTrack } = await import('./caption-track.ts')
const { cutsOf } = await import('./cuts.ts')
const { differenceOf } = await import('./difference.ts')
const { voicedIn } = await import('./ducking.ts')
const { writeEdl } = await import('./edl.ts')
const { writeFcpxml } = await import('./fcpxml.ts')
const { writeOtio } = await import('./otio.ts')
const { concernsOf, passagesOf } = await import('./passages.ts')
const { readRecipe } = await import('./read-recipe.ts')
const { isOut } = await import('./removals.ts')
const { outcomesOf } = await import('./rule-outcomes.ts')
const { saidAgain } = await import('./tries.ts')
const { firstCut } = await import('./first-cut.ts')
const { lengthProblems } = await import('./render-length.ts')
const { flawsSeen } = await import('./flaws.ts')
const { cuesOf, writeSrt } = await import('./subtitles.ts')
const { setTone } = await import('./commands/sound.ts')
const { toneSpans } = await import('./room-tone.ts')
const { segmentsOf, spokenWords, timelineOf } = await import('./timeline.ts')

const empty = recipeOf({}, 0)
const workOf = (run: () => unknown): number => {
  run()
  return workDone()
}
/** What is done with a whole recipe where others wait for it: in a call, a signed address, a job of the same process. */
const tasks: Record<string, (recipe: Recipe) => unknown> = {
  readRecipe,
  timelineOf,
  spokenWords,
  segmentsOf: (recipe) => segmentsOf(recipe, { longest: 60 }),
  lengthProblems,
  flawsSeen: (recipe) => flawsSeen(recipe, timelineOf(recipe), 'frozen'),
  captionTrack: (recipe) => captionTrack(recipe, (text) => text.length / 2),
  toneSpans: (recipe) => toneSpans(setTone(true)(recipe), timelineOf(recipe), { has: () => true, isHeard: () => true }),
  voicedIn: (recipe) => voicedIn(recipe, timelineOf(recipe)),
  cuesOf: (recipe) => writeSrt(cuesOf(recipe)),
  cutsOf: (recipe) => {
    const cuts = cutsOf(recipe, { title: 'x', jobCode: null })
    return [writeEdl(cuts), writeOtio(cuts), writeFcpxml(cuts)]
  },
  differenceOf: (recipe) => [
    differenceOf(empty, recipe),
    differenceOf(recipe, empty),
    differenceOf(recipe, { ...recipe, removed: recipe.removed.map((one) => ({ ...one, on: !one.on })) }),
  ],
  outcomesOf: (recipe) => {
    const byHand = { ...recipe, removed: recipe.removed.map((one) => ({ ...one, by: 'person' as const, on: true })) }
    const byRule = recipe.removed.map((one) => ({ ...one, by: 'rule' as const, reason: 'silence' as const, on: true }))
    return [outcomesOf(empty, byHand), outcomesOf({ ...recipe, removed: byRule }, byHand)]
  },
  saidAgain,
  passagesOf: (recipe) => concernsOf(passagesOf(recipe)),
}

/**
 * Each two lists, in each shape. What is laid over passages is shown with each of them, and few: it is never piled, nor are
 * they.
 */
const mayPile = new Set<List>(['keep', 'removed', 'words', 'unsaid', 'joints'])
const shapesOf = (list: List): Shape[] => (mayPile.has(list) ? ['spread', 'piled'] : ['spread'])
const pairs = lists
  .flatMap((one, i) =>
    lists
      .slice(i + 1)
      .flatMap((other) =>
        shapesOf(one).flatMap((shape) =>
          shapesOf(other).map((otherShape): Partial<Record<List, Shape>> => ({ [one]: shape, [other]: otherShape })),
        ),
      ),
  )
  .filter((pair) => pair.keep !== 'piled' || Object.keys(pair).every((list) => mayPile.has(list as List)))
/** In `npm test` each two lists in one of their shapes, in turn; all of them by `npm run prove -- largest-recipes`. */
const asked = isLong
  ? pairs
  : [...Map.groupBy(pairs, (pair) => Object.keys(pair).join()).values()].map((same, n) => same[n % same.length]!)

it(
  'a recipe of twice the size is about twice the work, whichever two of its lists are long',
  { timeout: 600_000 },
  () => {
    const products: string[] = []
    let legal = 0
    for (const pair of asked) {
      const [half, full] = [recipeOf(pair, 0.05), recipeOf(pair, 0.1)]
      if (readRecipe(full).problems) continue
      legal++
      workDone()
      for (const [name, task] of Object.entries(tasks)) {
        const product = () => {
          const [less, more] = [workOf(() => task(half)), workOf(() => task(full))]
          // Below that nobody waits, whatever grows.
          return more > 10_000 && more > 2.5 * less ? `${name} of ${JSON.stringify(pair)}: ${less} → ${more}` : null
        }
        // V8 counts some blocks of a function that it has just optimized differently, by a third: a product shows each time.
        const found = product() && product() && product()
        if (found) products.push(found)
      }
    }
    expect(products).toEqual([])
    expect(legal).toBeGreaterThan(asked.length / 2)
  },
)

it('a function that goes through one list for each item of another is seen by this measure', () => {
  const each = (part: number) => {
    const recipe = recipeOf({ removed: 'piled', words: 'spread' }, part)
    workDone()
    return workOf(() => recipe.words.map((word) => isOut(recipe, word)))
  }
  expect(each(0.2)).toBeGreaterThan(3 * each(0.1))
})

it('a sentence said anew is looked for by so many steps as the take and the sentence have words, multiplied once', () => {
  const vocabulary = Array.from({ length: 60 }, (_, i) => `word${i}`)
  const said = (source: string, texts: readonly string[]) =>
    texts.map((text, i) => ({
      id: `${source}${i}`,
      source,
      text,
      start: i * 250,
      end: i * 250 + 240,
      confidence: 1,
      origin: 'script' as const,
    }))
  const mixed = Array.from({ length: 2000 }, (_, i) => vocabulary[(i * 7919 + Math.floor(i / 60) * 31) % 60]!)
  const words = [...said('a', mixed), ...said('b', vocabulary.toReversed())]
  const sources = [take(600_000), take(60_000, { id: 'b' })]
  const logs = (sentence?: string) => new Map([['b', { again: [], shown: [], sentence }]])
  const workWith = (sentence?: string) => {
    workDone()
    return workOf(() =>
      firstCut({ sources, words, silences: [], logs: logs(sentence), script: '', brand, style: 1 } as never),
    )
  }
  const mixedUp = vocabulary.map((_, i) => vocabulary[(i * 13) % 60]!)
  expect(workWith(mixedUp.join(' ')) - workWith()).toBeLessThan(16 * mixed.length * vocabulary.length)
})

it('a recipe whose passages meet too many cuts, or play too many words, is refused in words', () => {
  const problem = (full: Parameters<typeof recipeOf>[0]) => readRecipe(recipeOf(full, 1)).problems
  expect(problem({ keep: 'piled', removed: 'spread' })).toEqual([
    {
      where: 'keep',
      text: 'Its passages and what is taken out meet 10,000,000 times; 20,000 times is the most. Play fewer passages over again, or take fewer things out of them.',
    },
  ])
  expect(problem({ keep: 'piled', words: 'spread' })).toEqual([
    { where: 'keep', text: 'Its passages play 18,000,000 words; 30,000 is the most. Play fewer passages over again.' },
  ])
})

it('a take of half an hour with a hundred cuts a minute is within all bounds, and so is every list at its limit', () => {
  const half = 30 * 60_000
  const cuts = 30 * 100
  const whole = recipeOf({}, 0)
  const removed = recipeOf({ removed: 'spread' }, cuts / limits.removed).removed
  const recipe = { ...whole, sources: whole.sources.map((one) => ({ ...one, durationMs: half })), removed }
  expect(recipe.removed).toHaveLength(cuts)
  expect(readRecipe(recipe).problems).toBeUndefined()
  expect(readRecipe(recipeOf(Object.fromEntries(lists.map((list) => [list, 'spread'])), 1)).problems).toBeUndefined()
})
