import {
  effectFade,
  effectRate,
  effectSamples,
  type EffectHeard,
  type EffectName,
} from '@clear-to-post/edit/sound-effects'

/** Sound effects through the page's loudspeaker: the numbers that the render mixes into the file. */

const made = new Map<EffectName, Float32Array<ArrayBuffer>>()
const samplesOf = (name: EffectName): Float32Array<ArrayBuffer> => {
  const known = made.get(name) ?? Float32Array.from(effectSamples(name))
  made.set(name, known)
  return known
}

/** An effect as long as it is heard, with the fade of what is cut short. */
export const effectBuffer = (context: AudioContext, { name, seconds }: Pick<EffectHeard, 'name' | 'seconds'>) => {
  const all = samplesOf(name)
  const length = Math.max(1, Math.min(all.length, Math.round(seconds * effectRate)))
  const buffer = context.createBuffer(1, length, effectRate)
  const isCut = length < all.length
  buffer.copyToChannel(
    isCut ? all.slice(0, length).map((value, i) => value * effectFade({ seconds }, i / effectRate)) : all,
    0,
  )
  return buffer
}

/** Plays an effect once, to choose it by its sound. */
export const playEffect = (name: EffectName): void => {
  const context = new AudioContext()
  const source = new AudioBufferSourceNode(context, { buffer: effectBuffer(context, { name, seconds: Infinity }) })
  source.connect(context.destination)
  source.addEventListener('ended', () => void context.close())
  source.start()
}
