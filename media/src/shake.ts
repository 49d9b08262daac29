import type { Fps } from '@clear-to-post/edit/frames'
import type { Shake } from '@clear-to-post/edit/steady'
import { MediaTrouble, runFfmpeg } from './ffmpeg.ts'
import { graphed, options, safeInput } from './input.ts'
import { fitted, type Size } from './picture.ts'
import type { Probe, VideoTrack } from './probe.ts'
import { shakeMeter } from './shake-meter.ts'
import { atRate } from './shot.ts'
import { threads } from './tools.ts'

/** How large the pictures are that are compared, on their longer side at most: a hundredth of a dot of them is told. */
const longest = 320

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
  const meter = shakeMeter(size, fps)
  const bytes = size.width * size.height
  let rest: Buffer = Buffer.alloc(0)
  const seconds = 120 + (durationMs / 1000) * 6
  const ran = await runFfmpeg({
    args: shakePlan(file, probe, video, size, fps),
    reads: [file],
    limits: { wallMs: seconds * 2000, cpuSeconds: seconds },
    signal,
    onOutput: (chunk) => {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      for (; rest.length >= bytes; rest = rest.subarray(bytes)) meter.take(rest.subarray(0, bytes))
    },
  })
  if (!ran.ok && (ran.why === 'memory' || ran.why === 'time'))
    throw new MediaTrouble(ran.why === 'memory' ? 'memory' : 'timeout', ran.stderr)
  // Where it ends early what was seen until then counts; whether a file is damaged is for the render to say.
  const shake = meter.done()
  return shake.x.length > 1 ? shake : null
}

function comparedSize(video: VideoTrack): Size {
  return fitted(video, longest, longest)
}

function shakePlan(file: string, probe: Probe, video: VideoTrack, size: Size, fps: Fps): string[] {
  const graph = `[0:${video.stream}]${atRate(fps)},scale=w=${size.width}:h=${size.height}:flags=area,format=gray[v]`
  return [
    ...options(`-threads ${threads} -an`),
    ...safeInput(file, probe.container),
    ...graphed(graph, threads),
    ...options('-map [v] -c:v rawvideo -f rawvideo pipe:1'),
  ]
}
