import { runFfmpeg } from './ffmpeg.ts'
import { refusalFrom } from './ffprobe.ts'
import { options, safeInput } from './input.ts'
import type { Probe } from './probe.ts'
import { refusal, type Refusal } from './refusal.ts'
import { threads } from './tools.ts'

/** Where its first picture stands, and where its last packet ends, both in ms from the file's beginning. */
export type Seen = { firstMs: number; endMs: number }

/**
 * Decodes the beginning up to where the picture has begun, and a little in the middle and at the end. Phones' small faults pass; missing parts do not.
 * `seen` is null for a still picture.
 */
export async function decodes(
  file: string,
  found: Probe,
  seen: Seen | null,
  signal: AbortSignal | undefined,
): Promise<Probe | Refusal> {
  const short = isShort(found)
  // An ISO file's boxes were seen to be whole: what is missing there is missing inside.
  const incomplete = refusal(found.container === 'mov' ? 'damaged' : 'truncated')
  for (const [index, look] of looks(found, seen).entries()) {
    const ran = await runFfmpeg({
      args: decodeWindow(file, found, look),
      reads: [file],
      limits: { cpuSeconds: 90, wallMs: 240_000, fileBytes: 0 },
      onTime: () => {},
      signal,
    })
    if (!ran.ok && ran.why !== 'exit' && ran.why !== 'crash') return refusalFrom(ran)
    const something = ran.frames > 0 || ran.timeMs > 0
    if (index === 2 && !something) return incomplete
    const missing = index === 0 && found.video !== null && ran.frames === 0
    if (!something || missing || (!ran.ok && ran.why === 'crash')) return refusal('damaged')
    if (short && found.kind !== 'picture' && ran.timeMs < 0.6 * found.durationMs) return incomplete
  }
  return found
}

/** One look takes in all of it. */
const isShort = ({ durationMs }: Probe): boolean => durationMs <= 5000

/** In seconds. */
type Look = { from: number; lasts: number }

function looks(found: Probe, seen: Seen | null): Look[] {
  if (isShort(found) || !seen) return [{ from: 0, lasts: 5 }]
  const { durationMs, video, audio } = found
  const end = durationMs - 1200
  // In silence the last picture may stand for long. Where the file ends before it says so, what is missing is looked for.
  const standsToEnd = !audio && seen.endMs > end
  const last = standsToEnd ? Math.min(end, (video?.lastMs ?? end) - 100) : end
  return [
    // A recorder begins with the sound, and a screen may show its first picture seconds later.
    { from: 0, lasts: seen.firstMs / 1000 + 1 },
    { from: durationMs / 2000, lasts: 1 },
    { from: Math.max(0, last) / 1000, lasts: 1 },
  ]
}

function decodeWindow(file: string, found: Probe, { from, lasts }: Look) {
  const { kind, video, audio, durationMs } = found
  // To the last second exactly, even from a distant key frame; elsewhere the nearest key frame will do.
  const roughly = from > 0 && from < durationMs / 1000 - 2 ? ['-noaccurate_seek'] : []
  return [
    ...options(`-threads ${threads}`),
    ...roughly,
    ...(from > 0 ? options(`-ss ${from.toFixed(3)}`) : []),
    ...safeInput(file, found),
    ...(video ? options(`-map 0:${video.stream} -fps_mode passthrough`) : []),
    ...(audio ? options(`-map 0:${audio.stream}`) : []),
    ...(kind === 'picture' ? options('-frames:v 1') : options(`-t ${lasts.toFixed(3)}`)),
    ...options('-f null -'),
  ]
}
