import { MediaTrouble, runFfmpeg } from './ffmpeg.ts'
import { options, safeInput } from './input.ts'
import type { Size } from './picture.ts'
import type { Probe } from './probe.ts'
import { threads } from './tools.ts'

/** A picture as plain points: straight (not premultiplied) RGBA, `width × height × 4` bytes. */
export type Bitmap = Size & { rgba: Buffer }

/**
 * Reads somebody's picture in the sandbox, upright and no larger than `most`, with its transparency; so that no decoder of
 * ours ever meets the file itself. Throws MediaTrouble when it cannot be decoded.
 */
export async function bitmapOf(
  file: string,
  { video, container }: Pick<Probe, 'video' | 'container'>,
  most: Size,
  signal?: AbortSignal,
): Promise<Bitmap> {
  if (!video) throw new MediaTrouble('failed', 'no picture in it')
  const scale = Math.min(1, most.width / video.width, most.height / video.height)
  const width = Math.max(1, Math.round(video.width * scale))
  const height = Math.max(1, Math.round(video.height * scale))
  const chunks: Buffer[] = []
  const run = await runFfmpeg({
    args: [
      ...options(`-threads ${threads}`),
      ...safeInput(file, { container, video }),
      ...options(`-map 0:${video.stream} -frames:v 1 -vf scale=w=${width}:h=${height}:flags=area,format=rgba`),
      ...options('-f rawvideo pipe:1'),
    ],
    reads: [file],
    limits: { wallMs: 60_000 },
    signal,
    onOutput: (chunk) => void chunks.push(chunk),
  })
  const rgba = Buffer.concat(chunks)
  if (rgba.length !== width * height * 4) throw new MediaTrouble('failed', run.stderr)
  return { width, height, rgba }
}
