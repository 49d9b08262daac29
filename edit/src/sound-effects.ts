import type { effectNames, Recipe } from './recipe.ts'
import { layerWindowsIn, type Timeline } from './timeline.ts'

/**
 * Our own sound effects, made by the formulas below: the render and the preview play the same numbers. Each is heard
 * from the start of its layer's place; a shorter place ends it, with a short fade.
 */

export type EffectName = (typeof effectNames)[number]

/** Samples a second. */
export const effectRate = 48_000
/** The loudest sample of each: −6 dBFS. */
const peak = 0.5
/** How long what is cut short takes to be silent, seconds. */
const cutFade = 0.01

/** One effect: how long it is, and its value at a moment of it; `noise` answers another number from −1 to 1 each time. */
type Effect = { seconds: number; at: (t: number, noise: () => number) => number }

const tau = 2 * Math.PI
const bell = (t: number, hz: number, slow: number) =>
  [1, 2.76, 5.4].reduce(
    (sum, part, i) => sum + (Math.sin(tau * hz * part * t) * Math.exp((-t * (1 + i)) / slow)) / (1 + i * 1.5),
    0,
  )

const effects: Record<EffectName, Effect> = {
  pop: {
    seconds: 0.16,
    at: (t) => Math.sin(tau * (240 * t + 1900 * t * t)) * Math.exp(-t * 26) * Math.min(1, t * 400),
  },
  click: { seconds: 0.05, at: (t, noise) => (noise() * 0.4 + Math.sin(tau * 1800 * t)) * Math.exp(-t * 130) },
  ding: { seconds: 1.4, at: (t) => bell(t, 1046.5, 0.45) * Math.min(1, t * 800) },
  coins: {
    seconds: 0.9,
    at: (t) =>
      [0, 0.09, 0.2].reduce((sum, from, i) => (t < from ? sum : sum + bell(t - from, [2093, 2637, 2349][i]!, 0.13)), 0),
  },
  whoosh: { seconds: 0.6, at: (t, noise) => noise() * Math.sin((Math.PI * t) / 0.6) ** 2 },
  rise: {
    seconds: 1.5,
    at: (t, noise) =>
      (Math.sin(tau * (180 * t + 220 * t * t)) * 0.6 + noise() * 0.25) * (t / 1.5) ** 2 * Math.min(1, (1.5 - t) * 30),
  },
}

/** How long an effect is, in milliseconds. */
export const effectMs = (name: EffectName): number => Math.round(effects[name].seconds * 1000)

/** An effect's samples, from −0.5 to 0.5, one channel; always the same numbers. */
export const effectSamples = (name: EffectName): Float32Array => {
  const { seconds, at } = effects[name]
  let seed = 1
  let smooth = 0
  // Noise without its highest part, which hisses.
  const noise = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    smooth += (seed / 2 ** 31 - 1 - smooth) * 0.25
    return smooth * 2
  }
  const samples = Float32Array.from({ length: Math.round(seconds * effectRate) }, (_, i) => at(i / effectRate, noise))
  const most = samples.reduce((so, value) => Math.max(so, Math.abs(value)), 0)
  const end = Math.round(cutFade * effectRate)
  return samples.map((value, i) => (value / most) * peak * Math.min(1, (samples.length - i) / end))
}

/** Where an effect is heard: seconds of the video from `at` on, for no longer than `seconds`; `gain` in dB. */
export type EffectHeard = { id: string; name: EffectName; at: number; seconds: number; gain: number }

/** The sound effects of a recipe in the order of its layers; one whose passage is played again is heard again. */
export const effectsHeard = (recipe: Recipe, timeline: Timeline): EffectHeard[] => {
  const second = (frame: number) => (frame * timeline.fps.den) / timeline.fps.num
  const windowsOf = layerWindowsIn(timeline)
  return recipe.layers.flatMap((layer) => {
    if (layer.kind !== 'sound' || !layer.on) return []
    const { id, name, gain } = layer
    return windowsOf(layer).map(({ from, to }) => ({
      id,
      name,
      at: second(from),
      seconds: Math.min(second(to - from), effects[name].seconds),
      gain,
    }))
  })
}

/** What a cut leaves of an effect at a moment of it, 0 to 1. Seconds. */
export const effectFade = ({ seconds }: Pick<EffectHeard, 'seconds'>, t: number): number =>
  Math.max(0, Math.min(1, (seconds - t) / cutFade))
