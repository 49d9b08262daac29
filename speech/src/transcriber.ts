/** One word that a transcriber heard; seconds are whole milliseconds here too. */
export type HeardWord = {
  text: string
  start: number
  end: number
  /** How sure it is, 0 to 1. */
  confidence: number
  /** It only told when the passage around it was said. */
  estimated?: true
}

/** Whatever turns a voice into words without knowing a script. */
export type Transcriber = {
  /** For logs and for people: `whisper.cpp`, `api.example.com`. */
  name: string
  /**
   * Hears a recording of 16,000 samples a second. `prompt` holds words that are likely to come (names, abbreviations);
   * below `folder` it may lie on this machine meanwhile. Throws TranscriberTrouble, and the signal's reason after an abort.
   */
  hear(request: {
    samples: Int16Array
    prompt?: string
    folder?: string | undefined
    signal?: AbortSignal | undefined
  }): Promise<HeardWord[]>
}

/** `busy` and `unreachable` are worth another try later; `refused` and `nonsense` want a look at the configuration. */
export class TranscriberTrouble extends Error {
  readonly reason: 'refused' | 'busy' | 'unreachable' | 'nonsense'
  constructor(reason: TranscriberTrouble['reason'], detail: string, options?: ErrorOptions) {
    super(`${reason}: ${detail.slice(0, 500)}`, options)
    this.name = 'TranscriberTrouble'
    this.reason = reason
  }
}

/** A WAV file of 16,000 samples a second, mono, 16 bits. */
export function wav(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(44 + samples.byteLength)
  const head = new DataView(file.buffer)
  const text = (at: number, word: string) =>
    [...word].forEach((letter, i) => head.setUint8(at + i, letter.charCodeAt(0)))
  text(0, 'RIFF')
  head.setUint32(4, 36 + samples.byteLength, true)
  text(8, 'WAVEfmt ')
  head.setUint32(16, 16, true)
  head.setUint16(20, 1, true)
  head.setUint16(22, 1, true)
  head.setUint32(24, 16_000, true)
  head.setUint32(28, 32_000, true)
  head.setUint16(32, 2, true)
  head.setUint16(34, 16, true)
  text(36, 'data')
  head.setUint32(40, samples.byteLength, true)
  samples.forEach((sample, i) => head.setInt16(44 + 2 * i, sample, true))
  return file
}

/** A passage of text whose words have no times of their own: shared out by their length. */
export function spread(text: string, start: number, end: number, confidence: number): HeardWord[] {
  const words = text.split(/\s+/).filter(Boolean)
  const weights = words.map((word) => word.length + 1)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let done = 0
  return words.map((word, i) => {
    const from = start + Math.round(((end - start) * done) / all)
    done += weights[i]!
    return {
      text: word,
      start: from,
      end: start + Math.round(((end - start) * done) / all),
      confidence,
      estimated: true,
    }
  })
}
