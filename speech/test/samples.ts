import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Eleven seconds of a human voice: President Kennedy's inaugural address, a public-domain recording, with the times of its
 * words set by hand (± 20 ms).
 */
export const kennedy = {
  script:
    'And so, my fellow Americans: ask not what your country can do for you, ask what you can do for your country.',
  file: join(import.meta.dirname, 'jfk.wav'),
  words: JSON.parse(readFileSync(join(import.meta.dirname, 'jfk.words.json'), 'utf8')) as {
    text: string
    start: number
    end: number
  }[],
  samples: samplesOf(join(import.meta.dirname, 'jfk.wav')),
}

/**
 * Another human voice: sentences from the first chapter of Sense and Sensibility, a public-domain recording (LibriVox),
 * as PocketSphinx's own tests cut them out. Beginning and end in ms.
 */
export const austen = {
  sentences: [
    { script: 'He was not an ill disposed young man.', span: [0, 2990] },
    { script: 'Unless to be rather cold hearted and rather selfish is to be ill disposed.', span: [2990, 8290] },
    { script: 'He might even have been made amiable himself.', span: [8290, 11_580] },
  ] satisfies { script: string; span: [number, number] }[],
  samples: samplesOf(join(import.meta.dirname, 'austen.wav')),
}

/** The samples of a plain WAV file of 16 kHz, mono, 16 bits. */
export function samplesOf(file: string): Int16Array {
  const bytes = readFileSync(file)
  const data = bytes.indexOf('data', 12, 'latin1')
  return new Int16Array(
    bytes.buffer.slice(bytes.byteOffset + data + 8, bytes.byteOffset + data + 8 + bytes.readUInt32LE(data + 4)),
  )
}

/** Passages of a recording, by ms, one after the other; a number is a pause of so many ms with a little noise. */
export function spliced(samples: Int16Array, parts: (readonly [number, number] | number)[]): Int16Array {
  let seed = 7
  const noise = () => ((seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) % 21) - 10
  return Int16Array.from(
    parts.flatMap((part) =>
      typeof part === 'number'
        ? Array.from({ length: part * 16 }, noise)
        : [...samples.subarray(part[0] * 16, part[1] * 16)],
    ),
  )
}

/** The value below which a part of the numbers lies, between neighbours in proportion. */
export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = part * (sorted.length - 1)
  const low = sorted[Math.floor(at)]!
  return low + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] ?? low) - low)
}

/**
 * The recording as noise suppression hands it on: 10 ms that, with their neighbours, are by so much (a factor) quieter than
 * the voice become digital silence.
 */
export function gated(samples: Int16Array, below: number): Int16Array {
  const slice = 160
  const levels = Array.from({ length: Math.floor(samples.length / slice) }, (_, n) =>
    Math.sqrt(samples.subarray(n * slice, (n + 1) * slice).reduce((sum, sample) => sum + sample ** 2, 0) / slice),
  )
  const voice = percentile(levels, 0.9)
  const out = samples.slice()
  levels.forEach((level, n) => {
    const loudest = Math.max(level, levels[n - 1] ?? 0, levels[n + 1] ?? 0)
    if (loudest < voice / below) out.fill(0, n * slice, (n + 1) * slice)
  })
  return out
}
