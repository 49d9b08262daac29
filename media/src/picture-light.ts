import type { Light } from '@clear-to-post/edit/balance'
import { runFfmpeg } from './ffmpeg.ts'
import { graphed, options, safeInput } from './input.ts'
import { ordinary } from './picture.ts'
import type { Probe } from './probe.ts'
import { threads } from './tools.ts'

/** So many moments of a recording are looked at, each as a square of so many points. */
const moments = 5
const side = 32

/**
 * What a video's pictures are like, in the colours that the render works in. Null without a picture, and where none could
 * be read: that decides nothing about the file. Throws as `runFfmpeg` does.
 */
export async function lightOf(file: string, found: Probe, signal?: AbortSignal): Promise<Light | null> {
  const { video, durationMs } = found
  if (!video || found.kind !== 'video') return null
  const last = Math.min(durationMs, video.lastMs ?? durationMs)
  const at = Array.from({ length: moments }, (_, i) => ((i + 0.5) / moments) * last)
  const graph = [
    ...at.map(
      (_, i) =>
        `[${i}:${video.stream}]trim=end_frame=1,${ordinary(video, { width: side, height: side }).join(',')},format=yuv444p,setpts=${i}[f${i}]`,
    ),
    `${at.map((_, i) => `[f${i}]`).join('')}concat=n=${moments}[v]`,
  ].join(';')
  const ran = await runFfmpeg({
    args: [
      ...at.flatMap((ms) => [
        ...options(`-threads 1 -an -noaccurate_seek -ss ${(ms / 1000).toFixed(3)}`),
        ...safeInput(file, found),
      ]),
      ...graphed(graph, threads),
      ...options('-map [v] -fps_mode passthrough -c:v rawvideo -f rawvideo pipe:1'),
    ],
    reads: [file],
    limits: { wallMs: 120_000 },
    signal,
  })
  return ran.stdout.length >= 3 * side * side ? lightFrom(ran.stdout) : null
}

/** The numbers of squares of luma, blue and red differences, one after the other, in video's limited range. */
export function lightFrom(squares: Buffer): Light {
  const points = side * side
  const luma: number[] = []
  const greys: [luma: number, blue: number, red: number][] = []
  for (let at = 0; at + 3 * points <= squares.length; at += 3 * points) {
    for (let i = 0; i < points; i++) {
      const y = (squares[at + i]! - 16) / 219
      const [u, v] = [(squares[at + points + i]! - 128) / 224, (squares[at + 2 * points + i]! - 128) / 224]
      luma.push(y)
      // Neither in shadow nor burnt out, and pale: walls, shirts, paper. A face is redder.
      if (y > 0.3 && y < 0.96 && Math.hypot(u, v) < palest) greys.push([y, u, v])
    }
  }
  const sorted = luma.toSorted((a, b) => a - b)
  const share = (part: number) => rounded(sorted[Math.floor(part * (sorted.length - 1))] ?? 0)
  // The brighter half of them: grey shadows take the colour of what is around.
  const bright = greys.toSorted((a, b) => b[0] - a[0]).slice(0, Math.ceil(greys.length / 2))
  const isEnough = bright.length > luma.length / 40
  const middle = (channel: 1 | 2) => {
    const values = bright.map((one) => one[channel]).toSorted((a, b) => a - b)
    return isEnough ? rounded(values[Math.floor(values.length / 2)] ?? 0) : 0
  }
  return { black: share(0.01), middle: share(0.5), white: share(0.99), blue: middle(1), red: middle(2) }
}

/** How far from grey a point may be that is taken for grey in coloured light. */
const palest = 0.075

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
