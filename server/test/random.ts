/** Numbers that look random and come again with the same seed (mulberry32). */
export const seeded = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    /** A whole number from `low` to `high`, both included. */
    whole: (low: number, high: number): number => low + Math.floor(next() * (high - low + 1)),
    one: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!,
    /** A name, as often as its weight says. */
    weighted: <K extends string>(weights: Partial<Record<K, number>>): K => {
      const entries = Object.entries(weights) as [K, number][]
      let at = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      return (entries.find(([, weight]) => (at -= weight) < 0) ?? entries[0]!)[0]
    },
  }
}
export type Random = ReturnType<typeof seeded>

/** The run's seed: PROVE_SEED to repeat a run, else a new one. */
export const seedOfRun = (): number => Number(process.env.PROVE_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** `npm run prove` asks for the long form of a proof. */
export const isLong = process.env.PROVE === 'long'

/** Set for what is too long for `npm test` even in its short form; `PROVE=short` with Vitest runs that. */
export const isProof = process.env.PROVE !== undefined

/**
 * For a walk that asks the same in very many places: `npm test` asks one of so many parts, by the seed of the run (`share`), and
 * the tests after it, as a test with the tag `long` (`options`), ask all of it (`share` is 1 then).
 */
export const partOfWalk = (parts: number): { share: number; options: { tags?: 'long' } } =>
  process.env.TESTS === 'test' ? { share: parts, options: {} } : { share: 1, options: { tags: 'long' } }
