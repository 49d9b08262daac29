import cleanWorklet from './clean-worklet.ts?worker&url'
import { CleanedLevel, type Powers } from './cleaned-level.ts'
import { cleanerName } from './cleaner-name.ts'

/** Whether the cleaned voice can be played here: old browsers, and pages that are not secure, have no audio worklets. */
export const canClean = (): boolean => typeof AudioWorkletNode === 'function'

type Deck = { source: MediaElementAudioSourceNode; gain: GainNode; cleaner: AudioWorkletNode | null; isClean: boolean }

/**
 * The sound of the two decks through cleaner and gain, as the render does it. Begun only after a person's press, because
 * no browser lets sound through before; once begun, a deck's sound goes this way for good.
 */
export class VoiceChain {
  readonly #context = new AudioContext()
  readonly #decks = new Map<HTMLVideoElement, Deck>()
  readonly #level = new CleanedLevel()
  #isLoaded = false
  #isLoading = false

  /** What each deck plays: cleaned or not, and how loud beside how it was recorded, dB. */
  follow(decks: readonly { video: HTMLVideoElement; gain: number }[], clean: boolean): void {
    if (this.#context.state === 'suspended') void this.#context.resume()
    if (clean && canClean() && !this.#isLoaded) this.#load()
    for (const { video, gain } of decks) {
      const deck = this.#deckOf(video)
      deck.gain.gain.setTargetAtTime(10 ** (gain / 20), this.#context.currentTime, 0.005)
      this.#route(deck, clean && this.#isLoaded)
    }
  }

  /** By how many decibels the voice became louder by being cleaned, as far as it was heard; 0 where it is not. */
  louder(): number {
    return [...this.#decks.values()].some(({ isClean }) => isClean) ? this.#level.louder() : 0
  }

  close(): void {
    void this.#context.close()
  }

  #load(): void {
    if (this.#isLoading) return
    this.#isLoading = true
    this.#context.audioWorklet.addModule(cleanWorklet).then(
      () => (this.#isLoaded = true),
      () => {},
    )
  }

  #deckOf(video: HTMLVideoElement): Deck {
    const known = this.#decks.get(video)
    if (known) return known
    const source = this.#context.createMediaElementSource(video)
    const gain = this.#context.createGain()
    gain.connect(this.#context.destination)
    source.connect(gain)
    const deck: Deck = { source, gain, cleaner: null, isClean: false }
    this.#decks.set(video, deck)
    return deck
  }

  #route(deck: Deck, clean: boolean): void {
    if (deck.isClean === clean) return
    deck.isClean = clean
    deck.source.disconnect()
    if (!clean) {
      deck.source.connect(deck.gain)
      return
    }
    deck.cleaner ??= this.#cleaner()
    deck.source.connect(deck.cleaner).connect(deck.gain)
  }

  #cleaner(): AudioWorkletNode {
    const cleaner = new AudioWorkletNode(this.#context, cleanerName, {
      outputChannelCount: [2],
      channelCount: 2,
      channelCountMode: 'explicit',
    })
    cleaner.port.onmessage = ({ data }: MessageEvent<Powers>) => this.#level.take(data)
    return cleaner
  }
}
