import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { msAt, type Fps } from '@clear-to-post/edit/frames'
import { levelsOf, quietest } from '@clear-to-post/edit/loudness'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { paintBand, type Paint } from './band.ts'
import {
  chunkArguments,
  chunksOf,
  encodingOf,
  groupsOf,
  hash,
  lengthOf,
  partFile,
  pictureSize,
  type Chunk,
  type Encoding,
  type Material,
  type Painted,
} from './chunks.ts'
import { soundCleaner } from './clean-sound.ts'
import { clock, ticks, type Quality } from './encoder.ts'
import { ffmpegVersion, MediaTrouble, runFfmpeg, type Ran, type Run } from './ffmpeg.ts'
import { options } from './input.ts'
import type { Size } from './picture.ts'
import { posterPlan, posterSizes, posterFile, thumbFile, type Poster } from './poster.ts'
import type { VideoTrack } from './probe.ts'
import { refusal, type Refusal } from './refusal.ts'
import { inFolder, keep, useCache } from './render-cache.ts'
import { renderMeter, type RenderMeter, type RenderProgress } from './render-meter.ts'
import {
  decodeArguments,
  effectBytes,
  effectFile,
  finishArguments,
  gatherArguments,
  loudnessFrom,
  pieceName,
  soundPlan,
  toneBytes,
  toneTrack,
  type Loudness,
  type SoundPlan,
} from './sound.ts'

/** All that will be done, as data. */
export type RenderPlan<P> = {
  quality: Quality
  fps: Fps
  size: Size
  frames: number
  chunks: Chunk<P>[]
  sound: SoundPlan
  /** What the chunks were planned from: several are encoded at once. */
  recipe: Recipe
  materials: (readonly [string, Material])[]
  painted: Painted<P>
}

export type RenderJob<P> = {
  /** Where the assets' files lie, by the asset's id. */
  files: ReadonlyMap<string, string>
  paint: Paint<P>
  /** Keeps finished chunks and the sound; any number of renders may share it, also at the same time. */
  cacheDir: string
  /** An empty folder for what is made. */
  outDir: string
  /** Processor cores to use; all by default. */
  cores?: number
  onProgress?: (progress: RenderProgress) => void
  signal?: AbortSignal | undefined
}

/** Every `file` is a name inside `outDir`. */
export type Rendered = {
  ok: true
  file: string
  frames: number
  durationMs: number
  poster: Poster
  thumb: Poster
  loudness: Loudness
  /** How many chunks were encoded now, and how many were there from earlier. */
  made: number
  reused: number
}

export const videoFile = 'video.mp4'

/** What the render of a recipe consists of. Pure. Throws an Error for an asset that is missing or of the wrong kind. */
export function plan<P>(
  recipe: Recipe,
  given: { materials: ReadonlyMap<string, Material>; painted: Painted<P>; quality?: Quality },
): RenderPlan<P> {
  const quality = given.quality ?? 'final'
  return {
    quality,
    fps: recipe.output.fps,
    size: pictureSize(recipe, quality),
    frames: lengthOf(recipe),
    chunks: chunksOf({ recipe, materials: given.materials, painted: given.painted, quality }),
    sound: soundPlan(recipe, given.materials),
    recipe,
    materials: [...given.materials],
    painted: given.painted,
  }
}

/**
 * Makes the video: chunks that are not in the cache and the sound, then all of it joined without encoding again, and a
 * poster. After a kill the next run goes on from the chunks that were finished. A Refusal says that a source turned out
 * damaged; MediaTrouble (disk, memory, time) and Error are the machine's, worth another try; an abort throws the
 * signal's reason, once no process is left.
 */
export async function run<P>(plan: RenderPlan<P>, job: RenderJob<P>): Promise<Rendered | Refusal> {
  const cores = job.cores ?? availableParallelism()
  const { names, soundName, there } = await stateOf(plan, job)
  const missing = names.flatMap((name, i) => (there.has(name) || names.indexOf(name) < i ? [] : [i]))
  // The longest first, so that all cores end together.
  const order = groupsOf(plan.chunks, missing, plan.fps)
    .map((places) => ({ places, encoding: encodingOfPlaces(plan, places) }))
    .toSorted((a, b) => work(b.encoding) - work(a.encoding))
  const meter = renderMeter(
    order.map(({ encoding }) => work(encoding)),
    plan.frames,
    job.onProgress,
  )
  const threads = Math.max(1, Math.floor(cores / Math.max(1, order.length)))
  let loudness: Loudness = { integrated: -70, peak: -70 }
  const tasks: Task[] = [
    async (signal) => {
      loudness = await makeSound(plan.sound, { ...job, signal }, soundName, there.has(soundName))
      meter.sound()
    },
    ...order.map(({ places, encoding }, i): Task => {
      const parts = partsOf(plan, names, places)
      return (signal) => makeParts(plan, encoding, { ...job, signal }, parts, threads, meter.chunk(i))
    }),
  ]
  try {
    await together(tasks, cores, job.signal)
    await joinUp(plan, job, names, soundName, meter)
    const posters = await makePoster(plan, job)
    meter.done()
    const durationMs = msAt(plan.frames, plan.fps)
    const counts = { made: missing.length, reused: plan.chunks.length - missing.length }
    return { ok: true, file: videoFile, frames: plan.frames, durationMs, ...posters, loudness, ...counts }
  } catch (error) {
    return refused(error)
  }
}

/** What of a plan lies finished in the cache: each of its chunks by its place in `plan.chunks`, and the sound. */
export type Ready = { names: string[]; chunks: boolean[]; sound: boolean }

/** The files of a plan in its cache: the pieces, then what is known of the sound, and at last the sound itself. */
export async function partNames({ chunks, sound }: RenderPlan<unknown>, signal?: AbortSignal): Promise<string[]> {
  const { names, soundName } = await namesOf({ chunks, sound }, signal)
  return [...new Set(names), `${soundName}.json`, soundName]
}

/** What of a plan the cache holds. It counts as just used, so that it is the last to be thrown away. */
export async function readyOf(plan: RenderPlan<unknown>, place: Place): Promise<Ready> {
  const { names, soundName, there } = await stateOf(plan, place)
  return { names, chunks: names.map((name) => there.has(name)), sound: there.has(soundName) }
}

/**
 * Makes some of a video before anybody asked for it, chunks by their places in `plan.chunks` or the sound, and keeps it for
 * `run`. Of chunks that cannot be encoded at once the first ones are made. Ends as `run` does.
 */
export async function makeAhead<P>(
  plan: RenderPlan<P>,
  what: readonly number[] | 'sound',
  job: Omit<RenderJob<P>, 'outDir' | 'onProgress'>,
): Promise<{ ok: true } | Refusal> {
  const { names, soundName, there } = await stateOf(plan, job)
  try {
    if (what === 'sound') await makeSound(plan.sound, job, soundName, there.has(soundName))
    else {
      const missing = what.filter((place) => !there.has(names[place] ?? ''))
      const [places] = groupsOf(plan.chunks, missing, plan.fps)
      const cores = job.cores ?? availableParallelism()
      if (places)
        await makeParts(plan, encodingOfPlaces(plan, places), job, partsOf(plan, names, places), cores, () => {})
    }
    return { ok: true }
  } catch (error) {
    return refused(error)
  }
}

function encodingOfPlaces<P>(
  { recipe, materials, painted, quality, chunks }: RenderPlan<P>,
  places: readonly number[],
): Encoding<P> {
  const job = { recipe, materials: new Map(materials), painted, quality }
  return encodingOf(
    job,
    places.map((place) => chunks[place]!),
  )
}

/** A part of an encoding: the name that it is kept under, and its frames. */
type Part = { name: string; frames: number }

function partsOf({ chunks }: RenderPlan<unknown>, names: readonly string[], places: readonly number[]): Part[] {
  return places.map((place) => ({ name: names[place]!, frames: chunks[place]!.frames }))
}

type Place = Pick<RenderJob<never>, 'cacheDir' | 'signal'>

/** The names of a plan's files in the cache, and which of them it holds. */
async function stateOf(plan: RenderPlan<unknown>, { cacheDir, signal }: Place) {
  const { names, soundName } = await namesOf(plan, signal)
  return { names, soundName, there: await useCache(cacheDir, [...names, soundName]) }
}

async function namesOf({ chunks, sound }: Pick<RenderPlan<unknown>, 'chunks' | 'sound'>, signal?: AbortSignal) {
  // Another ffmpeg may code another way, and only what was coded alike can be joined.
  const version = await ffmpegVersion(signal)
  const named = (key: string, end: string) => `${hash([key, version]).slice(0, 40)}.${end}`
  const names = chunks.map(({ key }) => named(key, 'mp4'))
  return { names, soundName: named(sound.key, 'm4a') }
}

/** A source's fault as an answer; throws what is the machine's. */
function refused(error: unknown): Refusal {
  if (error instanceof Damaged) return refusal(error.message === 'work' ? 'too-heavy' : 'damaged')
  if (isFull(error)) throw new MediaTrouble('disk-full', String(error))
  throw error
}

type Task = (signal: AbortSignal) => Promise<void>

/** Runs the tasks, so many at a time; after the first failure it waits until the others are gone too. */
async function together(tasks: Task[], atOnce: number, signal: AbortSignal | undefined): Promise<void> {
  const stop = new AbortController()
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const failures: unknown[] = []
  const left = tasks.values()
  const worker = async () => {
    for (const task of left) {
      try {
        either.throwIfAborted()
        await task(either)
      } catch (error) {
        failures.push(error)
        stop.abort(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, worker))
  if (failures.length > 0) throw failures[0]
}

/** In frames of ordinary footage. */
function work({ kind, frames }: Encoding<unknown>): number {
  return frames * (kind === 'card' ? 0.2 : kind === 'crossfade' ? 2 : 1)
}

type Making<P> = Pick<RenderJob<P>, 'files' | 'paint' | 'cacheDir' | 'signal'>

/** Encodes chunks at once and keeps each under its name; when it is stopped, those that are finished. */
async function makeParts<P>(
  { quality, fps }: RenderPlan<P>,
  encoding: Encoding<P>,
  job: Making<P>,
  parts: readonly Part[],
  threads: number,
  progress: (done: number) => void,
): Promise<void> {
  await inFolder(job.cacheDir, async (folder) => {
    const bands: string[] = []
    for (const [i, input] of encoding.inputs.entries()) {
      if (!('band' in input)) continue
      const file = `band${i}.raw`
      await paintBand(join(folder, file), input.band, job.paint, job.signal)
      bands[i] = file
    }
    const length = msAt(encoding.frames, fps)
    const lengths = parts.map(({ frames }) => frames)
    const given = { files: job.files, bands, threads, parts: lengths }
    const keepParts = async (count: number) => {
      for (const [i, { name }] of parts.slice(0, count).entries()) {
        await rename(join(folder, partFile(i)), join(folder, name))
        await keep(folder, name, job.cacheDir)
      }
    }
    const ran = await made({
      args: chunkArguments(encoding, given, { fps, quality }),
      reads: encoding.inputs.flatMap((input) => ('band' in input ? [] : [fileOf(job, input.asset)])),
      outDir: folder,
      limits: limitsFor(length),
      onTime: (ms) => progress(Math.min(1, ms / length)),
      signal: job.signal,
    }).catch(async (error: unknown) => {
      // The one that is being written when it is stopped is not whole; those before it are.
      if (job.signal?.aborted) await keepParts(Math.max(0, (await begunParts(folder)) - 1))
      throw error
    })
    // Decoders carry on over holes; the picture would end before its sound.
    if (ran.frames !== encoding.frames) throw new Damaged(`${ran.frames} of ${encoding.frames} frames`)
    await keepParts(parts.length)
    progress(1)
  })
}

async function begunParts(folder: string): Promise<number> {
  const names = new Set(await readdir(folder))
  let count = 0
  while (names.has(partFile(count))) count++
  return count
}

/** How far off the loudness may come out before the sound is finished once more. */
const tolerance = 0.5

async function makeSound(plan: SoundPlan, job: Making<never>, name: string, there: boolean): Promise<Loudness> {
  const notes = `${name}.json`
  if (there) return JSON.parse(await readFile(join(job.cacheDir, notes), 'utf8'))
  return await inFolder(job.cacheDir, async (folder) => {
    const limits = limitsFor(plan.samples / 48)
    const heard = async (file: string) => loudnessFrom(await readFile(join(folder, file), 'utf8').catch(() => ''))
    // What is read several times is cleaned once.
    const cleaned = new Map(plan.inputs.flatMap((input) => (input.cleaned ? [[input.cleaned, input] as const] : [])))
    for (const [file, input] of cleaned) await cleanInto(join(folder, file), input, job)
    if (plan.tone) await writeFile(join(folder, toneTrack), toneBytes(plan))
    await made({
      args: gatherArguments(plan, job.files, 1),
      reads: plan.inputs.flatMap(({ asset, cleaned }) => (cleaned ? [] : [fileOf(job, asset)])),
      outDir: folder,
      limits,
      signal: job.signal,
    })
    const voice = await heard('v.txt')
    const song = plan.music ? (await heard('m.txt')).integrated : -70
    const { loudness } = plan
    const levels = levelsOf({ loudness, gain: plan.music?.gain ?? 0 }, voice.integrated, song)
    const pieces = await Promise.all(
      plan.pieces.map(async (piece, i) => {
        const own = (await heard(`${pieceName(i)}.txt`)).integrated
        return levelsOf({ loudness, gain: piece.gain }, voice.integrated, own).music
      }),
    )
    for (const name of new Set(plan.effects.map((one) => one.name)))
      await writeFile(join(folder, effectFile(name)), effectBytes(name))
    let gain = levels.voice
    let came = voice
    // The limiter takes a little away, music adds a little: seen only afterwards.
    for (let tries = 0; tries < 3; tries++) {
      const args = finishArguments(plan, { gain, music: levels.music, pieces, threads: 1, out: name })
      await made({ args, outDir: folder, limits, signal: job.signal }, true)
      came = await heard('v.txt')
      const off = loudness === null || voice.integrated < quietest ? 0 : loudness - came.integrated
      if (Math.abs(off) <= tolerance) break
      gain += off
    }
    await writeFile(join(folder, notes), JSON.stringify(came))
    await keep(folder, notes, job.cacheDir)
    await keep(folder, name, job.cacheDir)
    return came
  })
}

async function cleanInto(file: string, input: SoundPlan['inputs'][number], job: Making<never>): Promise<void> {
  const cleaner = soundCleaner(file)
  try {
    await made({
      args: decodeArguments(input, job.files),
      reads: [fileOf(job, input.asset)],
      limits: limitsFor(input.probe.durationMs),
      onOutput: cleaner.take,
      signal: job.signal,
    })
  } finally {
    cleaner.end()
  }
}

async function joinUp(
  plan: RenderPlan<unknown>,
  job: RenderJob<never>,
  names: string[],
  sound: string,
  meter: RenderMeter,
): Promise<void> {
  meter.join()
  const paths = names.map((name) => resolve(job.cacheDir, name))
  await inFolder(job.outDir, async (folder) => {
    const list = paths.map((path) => `file 'file:${path.replaceAll("'", `'\\''`)}'\n`)
    await writeFile(join(folder, 'list.txt'), ['ffconcat version 1.0\n', ...list].join(''))
    const soundPath = resolve(job.cacheDir, sound)
    const copying: Run = {
      args: joinArguments(plan, soundPath),
      reads: [...new Set(paths), soundPath],
      outDir: folder,
      limits: limitsFor(msAt(plan.frames, plan.fps)),
      onTime: () => {},
      signal: job.signal,
    }
    const ran = await made(copying, true)
    if (ran.frames !== plan.frames) throw new Error(`${ran.frames} of ${plan.frames} frames were joined`)
    await keep(folder, videoFile, job.outDir)
  })
}

/** All chunks of `list.txt` and the sound in one file, nothing encoded again. Ends of frames fall on the clock's ticks. */
export function joinArguments({ fps }: Pick<RenderPlan<unknown>, 'fps'>, sound: string): string[] {
  const each = ticks(fps)
  const even = (time: string) => `${each}*round(${time}/${each})`
  return [
    ...options('-protocol_whitelist file -f concat -safe 0 -i file:list.txt'),
    ...options('-protocol_whitelist file -f mov -i'),
    `file:${sound}`,
    ...options(`-map 0:v -map 1:a -c copy -bsf:v setts=pts=${even('PTS')}:dts=${even('DTS')}`),
    ...options(
      `-video_track_timescale ${clock(fps)} -map_metadata -1 -movflags +faststart -f mp4 -y file:${videoFile}`,
    ),
  ]
}

async function makePoster(plan: RenderPlan<unknown>, job: RenderJob<never>) {
  const source = resolve(job.outDir, videoFile)
  const video: VideoTrack = {
    ...plan.size,
    stream: 0,
    codec: 'h264',
    rotation: 0,
    fps: plan.fps.num / plan.fps.den,
    constantRate: true,
    pixelFormat: 'yuv420p',
    hdr: null,
    matrix: 'bt709',
    alpha: false,
  }
  const durationMs = msAt(plan.frames, plan.fps)
  await inFolder(job.outDir, async (folder) => {
    const args = posterPlan(source, { container: 'mov', durationMs }, video, 1)
    await made({ args, reads: [source], outDir: folder, limits: limitsFor(1000), signal: job.signal }, true)
    for (const file of [posterFile, thumbFile]) await keep(folder, file, job.outDir)
  })
  const sizes = posterSizes(video)
  return { poster: { file: posterFile, ...sizes.poster }, thumb: { file: thumbFile, ...sizes.thumb } }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

class Damaged extends Error {}

/** One run of ffmpeg; sorts the sources' faults from the machine's. Where no source is read it cannot be theirs. */
async function made(run: Run, ours = false): Promise<Ran> {
  const ran = await runFfmpeg(run)
  if (ran.ok) return ran
  if (ran.why === 'memory') throw new MediaTrouble('memory', ran.stderr)
  if (ours) throw new MediaTrouble('failed', ran.stderr)
  if (/no space left on device|disk quota exceeded/i.test(ran.stderr)) throw new MediaTrouble('disk-full', ran.stderr)
  if (ran.why === 'exit' || ran.why === 'crash') throw new Damaged(ran.stderr)
  if (ran.why === 'time') throw new MediaTrouble('timeout', ran.stderr)
  throw new Damaged('work')
}

/** By the length that is made: ten times what one slow core was seen to need; and a distant key frame to start from. */
function limitsFor(ms: number) {
  const seconds = 180 + (ms / 1000) * 60
  return { cpuSeconds: seconds, wallMs: seconds * 2000, fileBytes: 8 * 2 ** 30, memoryBytes: 4 * 2 ** 30 }
}

function fileOf({ files }: Pick<RenderJob<never>, 'files'>, asset: string): string {
  const file = files.get(asset)
  if (file === undefined) throw new Error(`The file of asset ${asset} was not given`)
  return file
}
