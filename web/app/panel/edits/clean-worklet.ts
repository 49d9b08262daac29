import { voiceCleaner } from '@clear-to-post/edit/clean-voice'
import { cleanerName } from './worklet-names.ts'
import { powerMeter, type Powers } from './cleaned-level.ts'

// What an audio worklet's own scope has; TypeScript's library of the browser knows only the page's.
declare const sampleRate: number
declare const registerProcessor: (name: string, processor: new () => WorkletProcessor) => void
declare class WorkletProcessor {
  readonly port: MessagePort
}
declare const AudioWorkletProcessor: typeof WorkletProcessor

/** The render's own cleaner, over what the page plays. Tells now and then how much power came in and went out. */
class VoiceCleanerProcessor extends AudioWorkletProcessor {
  readonly #cleaner = voiceCleaner(sampleRate)
  readonly #before = powerMeter(sampleRate)
  readonly #after = powerMeter(sampleRate)
  #samples = 0

  process([input]: Float32Array[][], [output]: Float32Array[][]): boolean {
    const [left, right] = [output?.[0], output?.[1]]
    if (!left || !right) return true
    left.set(input?.[0] ?? left.fill(0))
    right.set(input?.[1] ?? left)
    this.#before.take(left)
    this.#cleaner.process(left, right)
    this.#after.take(left)
    this.#samples += left.length
    if (this.#samples >= sampleRate * 0.4) {
      this.#samples = 0
      this.port.postMessage({ before: this.#before.spent(), after: this.#after.spent() } satisfies Powers)
    }
    return true
  }
}

registerProcessor(cleanerName, VoiceCleanerProcessor)
