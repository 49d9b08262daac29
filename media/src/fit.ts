import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaTrouble, runFfmpeg, type Run } from './ffmpeg.ts'
import { graphed, onTheClock, options, safeInput } from './input.ts'
import { fitted, forJpeg, ordinary } from './picture.ts'
import { stillMs, type Probe, type VideoTrack } from './probe.ts'
import { refusal, type Refusal } from './refusal.ts'
import { threads } from './tools.ts'

/** Names inside the folder that is given. */
export const fitFile = 'fit.mp4'
export const coverFile = 'cover.jpg'

/** Bounds of a file: bytes in all; pixels of the longer side, pictures a second and bits a second where they are bound. */
export type FitBounds = {
  bytes: number
  side: number | null
  rate: { least: number; most: number } | null
  bits: number | null
}

type Making = {
  source: string
  /** Nothing is written anywhere else. */
  outDir: string
  probe: Probe
  signal?: AbortSignal | undefined
}

/**
 * Makes a file within these bounds of a finished video: the same pictures and sound, in the same shape and length, as H.264 and AAC
 * in an MP4 with its index in front and without an edit list. A Refusal says that this file cannot be made so; MediaTrouble and
 * Error are the machine's, worth another try.
 */
export async function makeFit(
  job: Making & { fit: FitBounds; onTime?: (ms: number) => void },
): Promise<{ ok: true } | Refusal> {
  const { video } = job.probe
  if (!video) return refusal('damaged')
  const most = Math.min(job.fit.bytes, ((job.fit.bits ?? Infinity) * job.probe.durationMs) / 8000)
  let bits = mostBits(job.fit, job.probe)
  // The encoder keeps a bound on average, and may be over it in a short video: it is asked for less then.
  for (let round = 0; round < 3; round++) {
    const ran = await made(
      job,
      { args: fitPlan(job.source, job.probe, video, job.fit, bits), onTime: job.onTime },
      fitFile,
    )
    if (!ran) return refusal('damaged')
    const { size } = await stat(join(job.outDir, fitFile))
    if (size <= most) return { ok: true }
    bits = Math.floor((bits * most * 0.9) / size)
  }
  await rm(join(job.outDir, fitFile), { force: true })
  return refusal('too-heavy')
}

/** The picture at this moment of the video, upright, at most 1080 on its short side, as a JPEG of at most two megabytes. */
export async function makeCover(job: Making & { atMs: number }): Promise<{ ok: true } | Refusal> {
  const { video } = job.probe
  if (!video) return refusal('damaged')
  const { durationMs } = job.probe
  // A little before the last picture begins, so that rounding leaves one to show.
  const last = Math.max(0, (video.lastMs ?? durationMs - 100) - 40)
  const at = (Math.min(job.atMs, last) / 1000).toFixed(3)
  const size = fitted(video, 1080, 1920)
  const graph = `[0:${video.stream}]${[...ordinary(video, size), ...forJpeg(size)].join(',')}[cover]`
  for (const quality of [2, 5, 10]) {
    const args = [
      ...options(`-threads ${threads} -ss ${at}`),
      ...safeInput(job.source, job.probe),
      ...graphed(graph, threads),
      ...options(`-map [cover] -frames:v 1 -c:v mjpeg -q:v ${quality} -map_metadata -1 -f image2 -update 1`),
      ...options(`-y file:${coverFile}`),
    ]
    if (!(await made(job, { args }, coverFile))) return refusal('damaged')
    if ((await stat(join(job.outDir, coverFile))).size <= mostCoverBytes) return { ok: true }
  }
  return refusal('too-heavy')
}

const mostCoverBytes = 2_000_000

const soundBits = 128_000
/** Samples of silence before what the AAC encoder is given. */
const priming = 1024

/** Bits a second of the pictures; a little of the room is kept for the file's own index. */
function mostBits({ bytes, bits }: FitBounds, { durationMs }: Probe): number {
  const room = (bytes * 8000 * 0.96) / durationMs
  return Math.floor(Math.min(room, (bits ?? Infinity) * 0.9, usualBits) - soundBits)
}
const usualBits = 16_000_000

function fitPlan(source: string, probe: Probe, video: VideoTrack, fit: FitBounds, bits: number): string[] {
  const size = fitted(video, Infinity, fit.side ?? Infinity)
  const rate = rateWithin(video.fps, fit.rate)
  const still = stillMs(probe)
  const seconds = (probe.durationMs / 1000).toFixed(3)
  const chain = [
    `fps=${rate.words}:start_time=0`,
    ...ordinary(video, size),
    ...(still > 0 ? [`tpad=stop_duration=${still}ms:stop_mode=clone`] : []),
  ].join(',')
  // An encoder begins with samples of silence that an edit list would leave out: they take the place of as much sound.
  const begin = `atrim=start_sample=${priming},asetpts=PTS-STARTPTS`
  const sound = probe.audio
    ? `[0:${probe.audio.stream}]aresample=48000:${onTheClock},aformat=channel_layouts=stereo,apad=whole_dur=${seconds},${begin}[a]`
    : `anullsrc=r=48000:cl=stereo,atrim=duration=${seconds},${begin}[a]`
  return [
    ...options(`-threads ${threads}`),
    ...safeInput(source, probe),
    // Apart, as in our own copy (`proxyPlan`).
    ...graphed(`[0:${video.stream}]${chain}[v]`, threads),
    ...graphed(sound, threads),
    ...options(
      `-map [v] -c:v libx264 -preset veryfast -crf 20 -maxrate ${bits} -bufsize ${Math.floor(bits / 2)} -profile:v high -pix_fmt yuv420p`,
    ),
    // Without pictures that are told out of their order no edit list is needed, which some networks refuse.
    ...options(`-bf 0 -flags +cgop -g ${Math.round(2 * rate.number)} -threads ${threads}`),
    ...options('-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709'),
    ...options(`-map [a] -c:a aac -b:a ${soundBits} -ar 48000 -ac 2 -bsf:a setts=ts=TS+${priming}`),
    ...options(
      `-map_metadata -1 -map_chapters -1 -t ${seconds} -use_editlist 0 -movflags +faststart -f mp4 -y file:${fitFile}`,
    ),
  ]
}

/** The rate that is meant by what was measured, within the bounds. */
function rateWithin(fps: number, bounds: FitBounds['rate']): { words: string; number: number } {
  const usual = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60]
  const { least, most } = bounds ?? { least: 1, most: 60 }
  const allowed = usual.filter((rate) => rate >= least - 0.05 && rate <= most + 0.05)
  // One below the least is shown as often as is usual, so that nothing looks slower than it is.
  const number =
    fps < least - 0.05
      ? 30
      : allowed.reduce((best, rate) => (Math.abs(rate - fps) < Math.abs(best - fps) ? rate : best))
  const whole = Math.round(number)
  return { number, words: Math.abs(number - whole) < 0.001 ? String(whole) : `${whole * 1000}/1001` }
}

/** One run of ffmpeg that must leave this file; false where the file itself is what fails. */
async function made(job: Making, run: Pick<Run, 'args' | 'onTime'>, file: string): Promise<boolean> {
  const seconds = 120 + (job.probe.durationMs / 1000) * 60
  const limits = { cpuSeconds: seconds, wallMs: seconds * 2000, fileBytes: 4 * 2 ** 30, memoryBytes: 4 * 2 ** 30 }
  const ran = await runFfmpeg({ ...run, reads: [job.source], outDir: job.outDir, limits, signal: job.signal })
  const { size } = await stat(join(job.outDir, file)).catch(() => ({ size: 0 }))
  if (ran.ok && size > 0) return true
  await rm(join(job.outDir, file), { force: true })
  if (/no space left on device|disk quota exceeded/i.test(ran.stderr)) throw new MediaTrouble('disk-full', ran.stderr)
  if (!ran.ok && ran.why === 'time') throw new MediaTrouble('timeout', ran.stderr)
  if (!ran.ok && ran.why === 'memory') throw new MediaTrouble('memory', ran.stderr)
  return false
}
