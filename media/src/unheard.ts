import { runFfmpeg } from './ffmpeg.ts'
import { refusalFrom } from './ffprobe.ts'
import { options, safeInput } from './input.ts'
import { linewise } from './linewise.ts'
import type { Probe } from './probe.ts'

/**
 * How much of its sound a copy that keeps to the file's clock leaves out (`onTheClock`), in ms: what is decoded for a moment that
 * has its sound already, as where times stand closer together than the sound is long, or that lies before the beginning. Who
 * plays piece after piece plays that, too. Infinite where the sound cannot be decoded to its end, or more than a second of it not at
 * all, as other players may know its format, and where it changes its channels or its rate on the way. Throws as `probe`.
 */
export async function unheardMs(file: string, found: Probe, signal?: AbortSignal): Promise<number> {
  const { audio, durationMs } = found
  if (!audio) return 0
  const meter = unheardMeter()
  const ran = await runFfmpeg({
    args: [
      // What was asked of its channels holds to its end.
      ...options('-reinit_filter 0'),
      // Of all packets. ffmpeg alone puts up with two thirds that it cannot decode, for which the copy is silent.
      ...options(`-max_error_rate ${Math.min(0.66, 1000 / durationMs)}`),
      ...safeInput(file, found),
      ...options(`-map 0:${audio.stream} -af aresample=${perSecond} -c:a pcm_s16le -f framecrc pipe:1`),
    ],
    reads: [file],
    limits: { cpuSeconds: 60 + durationMs / 5000, wallMs: 240_000 + durationMs, fileBytes: 0 },
    onOutput: linewise((line) => {
      // `0, dts, pts, duration, size, sum`; what begins with # describes the track.
      const [, , at, lasts] = line.split(',').map(Number)
      if (!line.startsWith('#') && at !== undefined && lasts !== undefined) meter.take(at, lasts)
    }),
    signal,
  })
  if (ran.ok) return Math.round((1000 * meter.done()) / perSecond)
  refusalFrom(ran)
  return Infinity
}

/** Samples a second: so many suffice to tell how long a sound is. */
const perSecond = 8000

/** How far a piece may stand beside its moment until `onTheClock` moves it. */
const loose = 0.02 * perSecond

/** All in samples. */
function unheardMeter() {
  let [heard, unheard] = [0, 0]
  return {
    take(at: number, lasts: number) {
      const early = heard - at
      if (early > loose) unheard += Math.min(early, lasts)
      heard = early > loose ? Math.max(heard, at + lasts) : early < -loose ? at + lasts : heard + lasts
    },
    done: () => unheard,
  }
}
