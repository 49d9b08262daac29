import { voiceCleaner } from '@clear-to-post/edit/clean-voice'
import { cleanerName } from './cleaner-name.ts'

// What an audio worklet's own scope has; TypeScript's library of the browser knows only the page's.
declare const sampleRate: number
declare const registerProcessor: (name: string, processor: new () => WorkletProcessor) => void
declare class WorkletProcessor {
  readonly port: MessagePort
}
declare const AudioWorkletProcessor: typeof WorkletProcessor

/** The render's own cleaner, over what the page plays. */
class VoiceCleanerProcessor extends AudioWorkletProcessor {
  readonly #cleaner = voiceCleaner(sampleRate)

  process([input]: Float32Array[][], [output]: Float32Array[][]): boolean {
    const [left, right] = [output?.[0], output?.[1]]
    if (!left || !right) return true
    left.set(input?.[0] ?? left.fill(0))
    right.set(input?.[1] ?? left)
    this.#cleaner.process(left, right)
    return true
  }
}

registerProcessor(cleanerName, VoiceCleanerProcessor)
