import type { Fps } from '@clear-to-post/edit/frames'
import type { Shake } from '@clear-to-post/edit/steady'
import { MediaTrouble, runFfmpeg } from './ffmpeg.ts'
import { graphed, options, safeInput } from './input.ts'
import { fitted, type Size } from './picture.ts'
import type { Probe, VideoTrack } from './probe.ts'
import { atRate } from './shot.ts'
import { Thread } from './thread.ts'
import { threads } from './tools.ts'

/** How large the pictures are that are compared, on their longer side at most: a hundredth of a dot of them is told. */
const longest = 320

/** What ffmpeg puts out at once is a picture or two; a thread that needs so long for it never ends. */
const longestChunkMs = 60_000

/**
 * How the camera of a recording shook, at this rate, counted as the render counts its frames; null where it has no moving picture, or it
 * cannot be read. Throws as `runFfmpeg` does, and MediaTrouble where memory or time ran out.
 */
export async function shakeOf(
  file: string,
  probe: Probe,
  { fps, signal }: { fps: Fps; signal?: AbortSignal | undefined },
): Promise<Shake | null> {
  const { video, kind, durationMs } = probe
  if (!video || kind !== 'video') return null
  const size = comparedSize(video)
  const seconds = 120 + (durationMs / 1000) * 6
  // In a thread of its own: each picture takes some hundredths of a second, and they come one after the other.
  const meter = new Thread<Uint8Array | 'end', Shake | null>(new URL('./shake-thread.ts', import.meta.url), {
    does: 'measures how a camera shook',
    longestMs: longestChunkMs,
    data: { size, fps },
    signal,
  })
  try {
    const ran = await runFfmpeg({
      args: shakePlan(file, probe, video, size, fps),
      reads: [file],
      limits: { wallMs: seconds * 2000, cpuSeconds: seconds },
      signal,
      onOutput: (chunk) => meter.ask(chunk),
    })
    if (!ran.ok && (ran.why === 'memory' || ran.why === 'time'))
      throw new MediaTrouble(ran.why === 'memory' ? 'memory' : 'timeout', ran.stderr)
    // Where it ends early what was seen until then counts; whether a file is damaged is for the render to say.
    const shake = (await meter.ask('end'))!
    return shake.x.length > 1 ? shake : null
  } finally {
    await meter.end()
  }
}

function comparedSize(video: VideoTrack): Size {
  return fitted(video, longest, longest)
}

function shakePlan(file: string, probe: Probe, video: VideoTrack, size: Size, fps: Fps): string[] {
  const graph = `[0:${video.stream}]${atRate(fps)},scale=w=${size.width}:h=${size.height}:flags=area,format=gray[v]`
  return [
    ...options(`-threads ${threads} -an`),
    ...safeInput(file, probe),
    ...graphed(graph, threads),
    ...options('-map [v] -c:v rawvideo -f rawvideo pipe:1'),
  ]
}
