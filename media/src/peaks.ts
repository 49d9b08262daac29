import type { Loud } from '@clear-to-post/edit/loudness'
import { graphed, onTheClock, options, safeInput } from './input.ts'
import type { AudioTrack, Probe } from './probe.ts'
import { even } from './sound.ts'

/** What `peaks.json` holds: for each slice of time the loudest sample, 0 to 255; and how loud it is heard to be. */
export type Peaks = { version: 1; perSecond: number; peaks: number[]; loud: Loud }

/** How loud the sound is, in dB below full scale (0 is the loudest there is), over slices of 20 ms. */
export type Loudness = {
  /** What voices reach: the 95th of 100 slices. */
  voice: number
  /** What is left between words: the 10th of 100. */
  floor: number
  /** The last quarter of a second. */
  end: number
  /** The share of samples at the rail, 0 to 1. */
  clipped: number
  /** How many words' worth of ups and downs there are a second: speech has 2 to 8, a hum has none. */
  beats: number
}

export const peaksFile = 'peaks.json'
/** Written beside the samples, and read as soon as they have come. */
export const loudFile = 'loud.txt'

const rate = 8000
const slice = rate / 50

/**
 * The sound alone, mono at 8 kHz on the file's own clock, as raw samples on the standard output; and into `loudFile` how loud
 * it is, as the render measures it.
 */
export function peaksPlan(source: string, { container, video }: Probe, audio: AudioTrack, threads: number): string[] {
  const graph = [
    `[0:${audio.stream}]asplit[wave][loud]`,
    `[wave]aresample=${rate}:${onTheClock}[peaks]`,
    `[loud]${even},ebur128=metadata=1,ametadata=print:key=lavfi.r128.M:file=${loudFile}:direct=1,anullsink`,
  ]
  return [
    ...options(`-threads ${threads} -vn`),
    ...safeInput(source, { container, video }),
    ...graphed(graph.join(';'), threads),
    ...options('-map [peaks] -ac 1 -c:a pcm_s16le -f s16le pipe:1'),
  ]
}

/** Takes the samples as they come and answers, when all have come, with the peaks and the loudness. */
export function listener() {
  const highest: number[] = []
  const loud: number[] = []
  let held = Buffer.alloc(0)
  let count = 0
  let rail = 0
  const takeSlice = (samples: Buffer) => {
    let peak = 0
    let power = 0
    for (let at = 0; at + 1 < samples.length; at += 2) {
      const sample = Math.abs(samples.readInt16LE(at))
      if (sample > peak) peak = sample
      if (sample >= 32_600) rail++
      power += sample * sample
    }
    const length = samples.length / 2
    count += length
    highest.push(peak)
    loud.push(10 * Math.log10(power / length / 32_768 ** 2 + 1e-10))
  }
  return {
    take(chunk: Buffer): void {
      const samples = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      let at = 0
      for (; at + 2 * slice <= samples.length; at += 2 * slice) takeSlice(samples.subarray(at, at + 2 * slice))
      held = Buffer.from(samples.subarray(at))
    },
    /** `written`: what stands in `loudFile`. `louder`: by how much more it is heard where the panel plays it, dB. */
    done(written = '', louder = 0): { peaks: Peaks; loudness: Loudness | null } {
      if (held.length >= 2) takeSlice(held.subarray(0, held.length - (held.length % 2)))
      held = Buffer.alloc(0)
      return {
        peaks: { ...thinned(highest), loud: loudFrom(written, louder) },
        loudness: loud.length > 0 ? loudness(loud, rail / count) : null,
      }
    },
  }
}

const mostPeaks = 24_000

/** Fifty a second, fewer where a long recording would make the file heavy. */
function thinned(highest: number[]): Omit<Peaks, 'loud'> {
  const join = [1, 2, 5, 10, 25, 50].find((n) => highest.length / n <= mostPeaks) ?? 50
  const peaks: number[] = []
  for (let at = 0; at < highest.length; at += join)
    peaks.push(Math.min(255, Math.round(Math.max(...highest.slice(at, at + join)) / 128)))
  return { version: 1, perSecond: 50 / join, peaks }
}

/** Ten measurements a second, fewer of a long recording, from `first` seconds on: each of the 0.4 s around it. */
function loudFrom(written: string, louder: number): Loud {
  const all = [...written.matchAll(/^lavfi\.r128\.M=(\S+)$/gm)].map(([, lufs]) => Math.max(-70, Number(lufs) || -70))
  // Each is of what came before; the first three are of less than they should be.
  const measured = all.slice(3)
  const every = Math.ceil(measured.length / mostPeaks) || 1
  const lufs = measured.filter((_, i) => i % every === 0).map((value) => Math.round((value + louder) * 10) / 10)
  return { first: 0.2, perSecond: 10 / every, lufs }
}

function loudness(loud: number[], clipped: number): Loudness {
  const sorted = loud.toSorted((a, b) => a - b)
  const pick = (share: number) => Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? -100) * 10) / 10
  const voice = pick(0.95)
  const floor = pick(0.1)
  const last = loud.slice(-12)
  const end = Math.round((last.reduce((sum, level) => sum + level, 0) / Math.max(1, last.length)) * 10) / 10
  return { voice, floor, end, clipped, beats: beats(loud, (voice + Math.max(floor, voice - 30)) / 2) }
}

/** How often a second the level climbs through the line between floor and voice, each climb by at least 4 dB. */
function beats(loud: number[], line: number): number {
  let climbs = 0
  let below = true
  for (const level of loud) {
    if (below && level > line + 2) {
      climbs++
      below = false
    } else if (level < line - 2) below = true
  }
  return Math.round((climbs * 500) / Math.max(1, loud.length)) / 10
}
