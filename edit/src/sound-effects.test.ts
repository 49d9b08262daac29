import { expect, test } from 'vitest'
import { effectNames } from './recipe.ts'
import { effectMs, effectRate, effectSamples } from './sound-effects.ts'

test('every sound effect is always the same numbers, −6 dB at its loudest, and ends without a click', () => {
  for (const name of effectNames) {
    const samples = effectSamples(name)
    expect(samples.length).toBe(Math.round((effectMs(name) * effectRate) / 1000))
    expect(effectSamples(name)).toEqual(samples)
    expect(samples.every(Number.isFinite)).toBe(true)
    const peak = Math.max(...samples.map(Math.abs))
    expect(peak).toBeCloseTo(0.5, 5)
    expect(Math.abs(samples.at(-1)!)).toBeLessThan(0.01)
    const power = samples.reduce((sum, one) => sum + one * one, 0) / samples.length
    expect(10 * Math.log10(power), name).toBeGreaterThan(-30)
  }
})
