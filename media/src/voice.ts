import { MediaTrouble, runFfmpeg } from './ffmpeg.ts'
import { onTheClock, options, safeInput } from './input.ts'
import type { Probe } from './probe.ts'
import { threads } from './tools.ts'

/** Samples a second of everything that listens to speech. */
export const voiceRate = 16_000

/** An hour and a half; more is no video of ours. */
const mostBytes = 90 * 60 * voiceRate * 2

/**
 * The sound of a file that has passed `probe`: mono, 16,000 samples a second, from 0 of the file's own clock to its end,
 * silent where the picture outlasts the sound. Empty when the file has no sound. Throws MediaTrouble when it cannot be
 * decoded, and the signal's reason.
 */
export async function voiceOf(file: string, found: Probe, signal?: AbortSignal): Promise<Int16Array> {
  if (!found.audio) return new Int16Array(0)
  const chunks: Buffer[] = []
  let bytes = 0
  const run = await runFfmpeg({
    args: [
      ...options(`-threads ${threads} -vn`),
      ...safeInput(file, found),
      ...options(`-map 0:${found.audio.stream}`),
      ...options(
        `-af aresample=${voiceRate}:${onTheClock},apad=whole_dur=${found.durationMs}ms -ac 1 -c:a pcm_s16le -f s16le pipe:1`,
      ),
    ],
    reads: [file],
    limits: { wallMs: 300_000 },
    signal,
    onOutput(chunk) {
      bytes += chunk.length
      if (bytes <= mostBytes) chunks.push(chunk)
    },
  })
  if (bytes < 2) throw new MediaTrouble('failed', run.stderr)
  // In memory samples lie as in the file.
  const samples = new Int16Array(chunks.reduce((sum, { length }) => sum + length, 0) >> 1)
  const whole = new Uint8Array(samples.buffer)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk.subarray(0, whole.length - at), at)
    at += chunk.length
  }
  return samples
}
