import { flawLimits } from '@clear-to-post/edit/flaws'
import type { Flaw } from '@clear-to-post/edit/recipe'
import { runFfmpeg } from './ffmpeg.ts'
import { graphed, options, ours, safeInput } from './input.ts'
import { ordinary } from './picture.ts'
import { stillMs, type Probe } from './probe.ts'
import { threads } from './tools.ts'

/** Each picture as a square of so many grey points: noise is gone in them, and a mouth that moves is not. */
const side = 32
const points = side * side
/** Pictures a second: of most recordings each one. */
const perSecond = 30

/** Steps of 255: no point of a black picture is brighter, and none of a frozen one changes by more. */
const [brightest, steady] = [20, 1]

export type FlawFound = Omit<Flaw, 'source'>

export type Watched = { file: string; proxy?: string | undefined; probe: Probe; signal?: AbortSignal | undefined }

/**
 * Where a recording's picture is black, or stands still while its sound goes on, in their order. None where no picture could be
 * read: that decides nothing about the file. Throws as `runFfmpeg` does.
 */
export async function flawsOf({ file, proxy, probe, signal }: Watched): Promise<FlawFound[]> {
  const { video, kind, durationMs } = probe
  if (!video || kind !== 'video') return []
  const watch = flawFinder()
  let rest: Buffer = Buffer.alloc(0)
  const shown = proxy ? [`scale=w=${side}:h=${side}:flags=area`] : ordinary(video, { width: side, height: side })
  const graph = `[0:${proxy ? 'v' : video.stream}]fps=${perSecond}:start_time=0,${shown.join(',')},format=gray[v]`
  const seconds = 120 + (durationMs / 1000) * 6
  await runFfmpeg({
    args: [
      ...options(`-threads ${threads} -an`),
      ...(proxy ? safeInput(proxy, ours) : safeInput(file, probe)),
      ...graphed(graph, threads),
      ...options('-map [v] -c:v rawvideo -f rawvideo pipe:1'),
    ],
    reads: [proxy ?? file],
    limits: { wallMs: seconds * 2000, cpuSeconds: seconds },
    signal,
    onOutput: (chunk) => {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      for (; rest.length >= points; rest = rest.subarray(points)) watch.take(rest.subarray(0, points))
    },
  })
  const still = stillMs(probe)
  return watch.done(durationMs, durationMs - still)
}

/** Takes grey squares in their order; `done` tells the flaws of a recording of that length, whose picture ends at `lastMs`. */
export function flawFinder() {
  const flaws: FlawFound[] = []
  let count = 0
  let open: { kind: Flaw['kind']; from: number; first: Buffer } | null = null
  const at = (frame: number) => Math.round((frame * 1000) / perSecond)
  const close = (endMs: number) => {
    if (open && endMs - at(open.from) >= flawLimits[open.kind])
      flaws.push({ kind: open.kind, start: at(open.from), end: endMs })
    open = null
  }
  return {
    take(picture: Uint8Array): void {
      const kind = picture.every((point) => point <= brightest) ? 'black' : 'frozen'
      const first = open?.first
      const goesOn =
        first &&
        open?.kind === kind &&
        (kind === 'black' || picture.every((one, i) => Math.abs(one - first[i]!) <= steady))
      if (!goesOn) {
        close(at(count))
        open = { kind, from: count, first: Buffer.from(picture) }
      }
      count++
    },
    done(durationMs: number, lastMs: number): FlawFound[] {
      close(Math.min(at(count), lastMs))
      if (durationMs - lastMs >= flawLimits.frozen) flaws.push({ kind: 'frozen', start: lastMs, end: durationMs })
      return flaws.filter(({ start, end }) => start < Math.min(end, durationMs)).slice(0, flawLimits.most)
    },
  }
}
