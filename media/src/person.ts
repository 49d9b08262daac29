import { personIn, type Face, type Look, type Person } from '@clear-to-post/edit/person'
import { lookBytes, lookSide } from './faces.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { graphed, options, ours, safeInput } from './input.ts'
import { fitted, ordinary, type Size } from './picture.ts'
import type { Probe, VideoTrack } from './probe.ts'
import { Thread } from './thread.ts'
import { threads } from './tools.ts'

/**
 * At most so many moments of a recording are looked at: that bounds what a long one costs. An upright one is cut by few
 * frames; there the person is found for moves, and for who changes the shape.
 */
const mostLooks = { wide: 120, upright: 30 } as const

/** A short one is looked at twice a second, the others at most once: then key frames are enough. */
const shortMs = 4000

/** Where fewer than one look in so many has a key frame of its own, the recording is decoded whole. */
const scarce = 4

/** A long recording of large key frames takes half a minute. */
const limits = { wallMs: 240_000, cpuSeconds: 180 }

/** A look takes a tenth of a second; one that takes so long never ends. */
const longestLookMs = 30_000

/** Milliseconds between two looks. */
export function lookEvery({ durationMs }: Pick<Probe, 'durationMs'>, { width, height }: Size): number {
  const most = width > height ? mostLooks.wide : mostLooks.upright
  return durationMs <= shortMs ? 500 : 1000 * Math.ceil(durationMs / 1000 / most)
}

const looksOf = ({ durationMs }: Pick<Probe, 'durationMs'>, every: number) => Math.max(1, Math.ceil(durationMs / every))

/** `proxy`: of the same recording, where it is made; each of its seconds has a key frame. */
export type Looked = { file: string; proxy?: string | undefined; probe: Probe; signal?: AbortSignal | undefined }

/**
 * Where the person of a video is; null where there is none, or no picture could be read: that decides nothing about the
 * file. Throws as `runFfmpeg` does, and an Error when the detector ends.
 */
export async function findPerson(job: Looked): Promise<Person | null> {
  const { video, durationMs, kind } = job.probe
  if (!video || kind !== 'video') return null
  return personIn(await looksAt(job, video), durationMs)
}

type Detector = Thread<Uint8Array, Face[]>

/** The faces of each moment, in parts of the upright picture. */
export async function looksAt(job: Looked, video: VideoTrack): Promise<Look[]> {
  const every = lookEvery(job.probe, video)
  const size = fitted(video, lookSide, lookSide)
  const [wide, high] = [size.width / lookSide, size.height / lookSide]
  // The network works in a thread of its own: a look takes a tenth of a second, in which nobody would be answered.
  const detector: Detector = new Thread(new URL('./face-thread.ts', import.meta.url), {
    does: 'looks for faces',
    longestMs: longestLookMs,
    signal: job.signal,
  })
  try {
    // Short recordings are decoded whole, too: their key frames may be one alone.
    let found = await lookedAt(job, lookPlan(job, video, every, every >= 1000), detector)
    const areScarce = !job.proxy && every >= 1000 && new Set(found).size < looksOf(job.probe, every) / scarce
    if (areScarce) found = await lookedAt(job, lookPlan(job, video, every, false), detector)
    const faces = await Promise.all(found)
    return faces.map((seen, i) => ({
      at: i * every,
      faces: seen.map(({ x, y, height, sure }) => ({
        x: (x - 0.5) / wide + 0.5,
        y: (y - 0.5) / high + 0.5,
        height: height / high,
        sure,
      })),
    }))
  } finally {
    await detector.end()
  }
}

/** The faces of each picture that a plan puts out; the same picture is looked at once. */
async function lookedAt(job: Looked, args: string[], detector: Detector): Promise<Promise<Face[]>[]> {
  // Its reason is told where the looks are waited for.
  const found: Promise<Face[]>[] = []
  let rest: Buffer = Buffer.alloc(0)
  let before: Buffer = rest
  const look = (picture: Buffer) => {
    const own = Uint8Array.from(picture)
    return detector.ask(own, [own.buffer])
  }
  const onOutput = (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (; rest.length >= lookBytes && found.length < mostLooks.wide; rest = rest.subarray(lookBytes)) {
      const picture = rest.subarray(0, lookBytes)
      // Between two key frames, and after the last one, the same picture comes again.
      const last = found.at(-1)
      const one = last && picture.equals(before) ? last : look(picture)
      one.catch(() => {})
      found.push(one)
      before = picture
    }
  }
  // Where it ends early what was seen until then counts: nobody seen in the rest is a doubt.
  await runFfmpeg({ reads: [job.proxy ?? job.file], args, onOutput, limits, signal: job.signal })
  return found
}

function lookPlan(job: Looked, video: VideoTrack, every: number, keyFrames: boolean): string[] {
  const { proxy, file, probe } = job
  const size = fitted(video, lookSide, lookSide)
  const shown = proxy ? [`scale=w=${size.width}:h=${size.height}:flags=area`] : ordinary(video, size)
  const graph = [
    `[0:${proxy ? 'v' : video.stream}]fps=1000/${every}:start_time=0:round=down:eof_action=pass`,
    ...shown,
    // What comes after the last key frame looks like it.
    `tpad=stop_mode=clone:stop_duration=${Math.ceil(probe.durationMs / 1000)}`,
    `pad=${lookSide}:${lookSide}:(ow-iw)/2:(oh-ih)/2`,
    'scale=in_color_matrix=bt709:in_range=tv:out_range=pc,format=rgb24[v]',
  ].join(',')
  return [
    ...options(`-threads ${threads} -an`),
    ...(keyFrames ? ['-skip_frame', 'nokey'] : []),
    ...(proxy ? safeInput(proxy, ours) : safeInput(file, probe)),
    ...graphed(graph, threads),
    ...options(`-map [v] -frames:v ${looksOf(probe, every)} -c:v rawvideo -f rawvideo pipe:1`),
  ]
}
