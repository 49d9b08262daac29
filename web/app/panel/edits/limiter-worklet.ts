import { limiter } from '@clear-to-post/edit/limiter'
import { limiterName } from './worklet-names.ts'

// What an audio worklet's own scope has; TypeScript's library of the browser knows only the page's.
declare const sampleRate: number
type Options = { processorOptions: { limit: number } }
declare const registerProcessor: (name: string, processor: new (options: Options) => object) => void
declare const AudioWorkletProcessor: new () => object

/** The file's limiter, over all that the page plays. */
class LimiterProcessor extends AudioWorkletProcessor {
  readonly #limiter

  constructor({ processorOptions: { limit } }: Options) {
    super()
    this.#limiter = limiter(sampleRate, limit)
  }

  process([input]: Float32Array[][], [output]: Float32Array[][]): boolean {
    const [left, right] = [output?.[0], output?.[1]]
    if (!left || !right) return true
    left.set(input?.[0] ?? left.fill(0))
    right.set(input?.[1] ?? left)
    this.#limiter.process(left, right)
    return true
  }
}

registerProcessor(limiterName, LimiterProcessor)
