import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaTrouble, runFfmpeg, type Ran, type Run } from './ffmpeg.ts'
import type { Light } from '@clear-to-post/edit/balance'
import { filmstripLayout, filmstripPlan, type Filmstrip } from './filmstrip.ts'
import { listener, loudFile, peaksFile, peaksPlan, type Loudness } from './peaks.ts'
import { posterFile, posterPlan, posterSizes, thumbFile, type Poster } from './poster.ts'
import { lightOf } from './picture-light.ts'
import { playableAsIs, type Probe } from './probe.ts'
import { copyFps, proxyFile, proxyPlan, proxySize, type Proxy } from './proxy.ts'
import { refusal, type Refusal } from './refusal.ts'
import { wasTooLarge } from './sandbox.ts'
import { threads } from './tools.ts'
import { verdicts, type Verdict } from './verdict.ts'

/** Every `file` is a name inside `outDir`; null is what a file of this kind does not have. */
export type Derivatives = {
  poster: Poster | null
  thumb: Poster | null
  peaks: { file: string; perSecond: number; count: number } | null
  proxy: Proxy | null
  filmstrip: Filmstrip | null
  /** What its pictures are like, for the automatic balance. */
  light: Light | null
  verdicts: Verdict[]
}

export type Stage = 'poster' | 'peaks' | 'proxy' | 'filmstrip'

export type Ingest = {
  source: string
  /** An empty folder; nothing is written anywhere else. */
  outDir: string
  probe: Probe
  /** A finished cut: its copy shows each of its pictures (`copyFps`). */
  isCut?: boolean
  /** What each run over the file may take of a processor; one that takes more is refused as too heavy. By its length without it. */
  cpuSeconds?: number
  /** From 0 to 1 within the stage; the stages come in their order, those that do not apply are left out. */
  onProgress?: (stage: Stage, fraction: number) => void
  /** Each derivative as soon as it stands: the poster is there long before the proxy. */
  onReady?: (ready: Partial<Derivatives>) => void | Promise<void>
  signal?: AbortSignal | undefined
}

/**
 * Makes what the panel shows and plays of one source, in the order of what a person waits for. A Refusal says that the
 * file turned out damaged on the way; MediaTrouble (disk, memory, time) and Error are the machine's, worth another try.
 */
export async function ingest(job: Ingest): Promise<({ ok: true } & Derivatives) | Refusal> {
  const made: Derivatives = {
    poster: null,
    thumb: null,
    peaks: null,
    proxy: null,
    filmstrip: null,
    light: null,
    verdicts: [],
  }
  const add = async (ready: Partial<Derivatives>) => {
    Object.assign(made, ready)
    await job.onReady?.(ready)
  }
  const { video, audio, kind } = job.probe
  try {
    if (video) await add(await makePoster(job))
    const light = await lightOf(job.source, job.probe, job.signal)
    if (light) await add({ light })
    const heard = kind !== 'picture' && audio ? await makePeaks(job) : null
    if (heard) await add({ peaks: heard.peaks })
    if (kind === 'picture') return { ok: true, ...made }
    const proxy = await makeProxy(job)
    await add({ proxy })
    const strip = video ? await makeFilmstrip(job, proxy) : null
    if (strip) await add({ filmstrip: strip.filmstrip })
    await add({ verdicts: verdicts(job.probe, heard?.loudness ?? null, strip?.light ?? null) })
    return { ok: true, ...made }
  } catch (error) {
    if (error instanceof Damaged) return refusal(error.message === 'work' ? 'too-heavy' : 'damaged')
    throw error
  }
}

/** Where the whole stands (0 to 1) when a stage has come so far; the shares are what each cost on two-minute footage. */
export function overall(stage: Stage, fraction: number): number {
  const [from, to] = shares[stage]
  return from + (to - from) * Math.min(1, Math.max(0, fraction))
}

const shares = { poster: [0, 0.03], peaks: [0.03, 0.06], proxy: [0.06, 0.96], filmstrip: [0.96, 1] } satisfies Record<
  Stage,
  [number, number]
>

async function makePoster(job: Ingest) {
  job.onProgress?.('poster', 0)
  const { video } = job.probe
  if (!video) return {}
  await made(job, { args: posterPlan(job.source, job.probe, video, threads), outDir: job.outDir }, [
    posterFile,
    thumbFile,
  ])
  job.onProgress?.('poster', 1)
  const sizes = posterSizes(video)
  return { poster: { file: posterFile, ...sizes.poster }, thumb: { file: thumbFile, ...sizes.thumb } }
}

async function makePeaks(
  job: Ingest,
): Promise<{ peaks: NonNullable<Derivatives['peaks']>; loudness: Loudness | null }> {
  job.onProgress?.('peaks', 0)
  const { audio, durationMs } = job.probe
  const ear = listener()
  let heard = 0
  const onOutput = (chunk: Buffer) => {
    ear.take(chunk)
    heard += chunk.length / 16
    job.onProgress?.('peaks', Math.min(1, heard / durationMs))
  }
  const run = { outDir: job.outDir, onOutput }
  if (audio) await made(job, { args: peaksPlan(job.source, job.probe, audio, threads), ...run }, [])
  const written = join(job.outDir, loudFile)
  const louder = playedLouder(job.probe)
  const { peaks, loudness } = ear.done(await readFile(written, 'utf8').catch(() => ''), louder)
  await rm(written, { force: true })
  await writeFile(join(job.outDir, peaksFile), JSON.stringify(peaks))
  job.onProgress?.('peaks', 1)
  return { peaks: { file: peaksFile, perSecond: peaks.perSecond, count: peaks.peaks.length }, loudness }
}

async function makeProxy(job: Ingest): Promise<Proxy> {
  job.onProgress?.('proxy', 0)
  const { video, durationMs } = job.probe
  const file = video ? proxyFile.video : proxyFile.audio
  const onTime = (ms: number) => job.onProgress?.('proxy', Math.min(1, ms / durationMs))
  const fps = copyFps(job.probe, job)
  const args = proxyPlan(job.source, job.probe, threads, job.isCut)
  const ran = await made(job, { args, outDir: job.outDir, onTime }, [file])
  // Decoders carry on over bad parts; a proxy that ends far too early shows that they did not get through.
  if (ran.timeMs < 0.6 * durationMs) throw new Damaged('short')
  job.onProgress?.('proxy', 1)
  const size = video ? proxySize(video) : { width: 0, height: 0 }
  return { file, fps: video ? fps : 0, durationMs: ran.timeMs, ...size }
}

async function makeFilmstrip(job: Ingest, proxy: Proxy): Promise<{ filmstrip: Filmstrip; light: Buffer }> {
  job.onProgress?.('filmstrip', 0)
  const filmstrip = filmstripLayout(proxy.durationMs, proxy)
  const { stdout } = await made(
    job,
    { args: filmstripPlan(filmstrip, threads), outDir: job.outDir },
    [filmstrip.file],
    [],
  )
  job.onProgress?.('filmstrip', 1)
  return { filmstrip, light: stdout }
}

class Damaged extends Error {}

/** One run of ffmpeg on the source that must leave those files; sorts the file's faults from the machine's. */
async function made(job: Ingest, run: Run, files: string[], reads = [job.source]): Promise<Ran> {
  const ran = await runFfmpeg({ ...run, reads, signal: job.signal, limits: limitsFor(job) })
  const sizes = await Promise.all(files.map((file) => stat(join(job.outDir, file)).catch(() => ({ size: 0 }))))
  const isWhole = !wasTooLarge(ran.stderr) && sizes.every(({ size }) => size > 0)
  if (ran.ok && isWhole) return ran
  await Promise.all(files.map((file) => rm(join(job.outDir, file), { force: true })))
  if (/no space left on device|disk quota exceeded/i.test(ran.stderr)) throw new MediaTrouble('disk-full', ran.stderr)
  if (ran.ok || ran.why === 'exit' || ran.why === 'crash') throw new Damaged(ran.stderr)
  if (ran.why === 'time') throw new MediaTrouble('timeout', ran.stderr)
  if (ran.why === 'memory') throw new MediaTrouble('memory', ran.stderr)
  throw new Damaged('work')
}

/** By the clock, ten times what 4K on one slow core was seen to need: other work may have the machine meanwhile. */
function limitsFor({ probe: { durationMs }, cpuSeconds }: Ingest) {
  const seconds = 120 + (durationMs / 1000) * 60
  const cpu = cpuSeconds ?? seconds
  return {
    cpuSeconds: cpu,
    wallMs: Math.max(seconds, cpu) * 2000,
    fileBytes: 4 * 2 ** 30,
    memoryBytes: 4 * 2 ** 30,
  }
}

/** By how many decibels a browser plays a file louder than the render has it: one channel goes whole to both sides there. */
export function playedLouder(probe: Probe): number {
  return probe.audio?.channels === 1 && playableAsIs(probe) ? 3 : 0
}
