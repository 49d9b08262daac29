import cleanWorklet from './clean-worklet.ts?worker&url'
import { CleanedLevel, type Powers } from './cleaned-level.ts'
import { hasWorklets, type Mixer } from './mixer.ts'
import { cleanerName } from './worklet-names.ts'

type Deck = { source: MediaElementAudioSourceNode; gain: GainNode; cleaner: AudioWorkletNode | null; isClean: boolean }

/** The sound of the two decks through cleaner and gain, as the render does it; once begun, it goes this way for good. */
export class VoiceChain {
  readonly #mixer: Mixer
  readonly #decks = new Map<HTMLVideoElement, Deck>()
  readonly #level = new CleanedLevel()
  #isLoaded = false
  #isLoading = false

  constructor(mixer: Mixer) {
    this.#mixer = mixer
  }

  /** What each deck plays: cleaned or not, how loud beside how it was recorded, dB, and what a fade leaves of that, 0 to 1. */
  follow(decks: readonly { video: HTMLVideoElement; gain: number; fade: number }[], clean: boolean): void {
    this.#mixer.wake()
    if (clean && hasWorklets() && !this.#isLoaded) this.#load()
    for (const { video, gain, fade } of decks) {
      const deck = this.#deckOf(video)
      deck.gain.gain.setTargetAtTime(fade * 10 ** (gain / 20), this.#mixer.context.currentTime, 0.005)
      this.#route(deck, clean && this.#isLoaded)
    }
  }

  /** By how many decibels the voice became louder by being cleaned, as far as it was heard; 0 where it is not. */
  louder(): number {
    return [...this.#decks.values()].some(({ isClean }) => isClean) ? this.#level.louder() : 0
  }

  #load(): void {
    if (this.#isLoading) return
    this.#isLoading = true
    this.#mixer.context.audioWorklet.addModule(cleanWorklet).then(
      () => (this.#isLoaded = true),
      () => {},
    )
  }

  #deckOf(video: HTMLVideoElement): Deck {
    const known = this.#decks.get(video)
    if (known) return known
    const { context, input } = this.#mixer
    const source = context.createMediaElementSource(video)
    const gain = context.createGain()
    gain.connect(input)
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
    const cleaner = new AudioWorkletNode(this.#mixer.context, cleanerName, {
      outputChannelCount: [2],
      channelCount: 2,
      channelCountMode: 'explicit',
    })
    cleaner.port.onmessage = ({ data }: MessageEvent<Powers>) => this.#level.take(data)
    return cleaner
  }
}
