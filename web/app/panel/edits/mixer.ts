import limiterWorklet from './limiter-worklet.ts?worker&url'
import { limiterName } from './worklet-names.ts'

/** Whether sound can be changed here sample by sample: old browsers, and pages that are not secure, have no audio worklets. */
export const hasWorklets = (): boolean => typeof AudioWorkletNode === 'function'

/**
 * Where voice, music and effects of the preview come together, each as loud as in the finished file, and go through its limiter.
 * Begun only after a person's press, because no browser lets sound through before.
 */
export class Mixer {
  #context: AudioContext | null = null
  #all: GainNode | null = null
  #limiter: { node: AudioWorkletNode; limit: number } | null = null
  /** dB by which the voice is made louder, and the highest sample of the file. */
  #voice = 0
  #limit = 1
  #isLoaded = false

  get context(): AudioContext {
    if (!this.#context) {
      this.#context = new AudioContext()
      this.#all = this.#context.createGain()
      this.#all.connect(this.#context.destination)
      if (hasWorklets()) void this.#load(this.#context)
      this.#settle()
    }
    return this.#context
  }

  /** What is to be heard is connected here. */
  get input(): AudioNode {
    void this.context
    return this.#all!
  }

  /** A browser may have put it to sleep. */
  wake(): void {
    if (this.context.state === 'suspended') void this.context.resume()
  }

  /** `voice`: by how many decibels the voice becomes louder; `peak`: dBTP of the file. */
  set({ voice, peak }: { voice: number; peak: number }): void {
    this.#voice = voice
    // As the render has it: a decibel for what lies between samples.
    this.#limit = 10 ** ((peak - 1) / 20)
    this.#settle()
  }

  close(): void {
    void this.#context?.close()
    this.#context = this.#all = this.#limiter = null
    this.#isLoaded = false
  }

  async #load(context: AudioContext): Promise<void> {
    const isThere = await context.audioWorklet.addModule(limiterWorklet).then(
      () => true,
      () => false,
    )
    if (this.#context !== context) return
    this.#isLoaded = isThere
    this.#settle()
  }

  #settle(): void {
    if (!this.#context || !this.#all) return
    // Without a limiter a voice that is made louder would crackle: it stays as it was recorded, and all else beside it.
    this.#all.gain.value = hasWorklets() ? 1 : 10 ** (-Math.max(0, this.#voice) / 20)
    if (!this.#isLoaded || this.#limiter?.limit === this.#limit) return
    const node = new AudioWorkletNode(this.#context, limiterName, {
      outputChannelCount: [2],
      channelCount: 2,
      channelCountMode: 'explicit',
      processorOptions: { limit: this.#limit },
    })
    this.#all.disconnect()
    this.#limiter?.node.disconnect()
    this.#all.connect(node).connect(this.#context.destination)
    this.#limiter = { node, limit: this.#limit }
  }
}
