import { graphed, onTheClock, options, safeInput } from './input.ts'
import { fitted, ordinary, type Size } from './picture.ts'
import { stillMs, type Probe, type VideoTrack } from './probe.ts'
import { inPlaces } from './unseen-pictures.ts'

/** `width`, `height` and `fps` are 0 for a proxy of sound alone. */
export type Proxy = { file: string; fps: number; durationMs: number } & Size

export const proxyFps = 30

/** How many pictures a second the copy has: 30; of a cut whose pictures do not all have a place there, 60. */
export const copyFps = ({ video }: Probe, { isCut = false } = {}): number =>
  isCut && video?.unseen ? 2 * proxyFps : proxyFps

/** Bits a second, on average of two seconds: what noise takes, which is a megabyte as a file and would be a gigabyte as its copy. */
export const proxyRate = 6_000_000
export const proxyFile = { video: 'proxy.mp4', audio: 'proxy.m4a' } as const

export function proxySize(video: VideoTrack): Size {
  return fitted(video, 720, 1920)
}

/**
 * What the panel plays and the editor cuts on: at most 720 on the short side, upright, `fps` pictures a second on the
 * source's own clock (both tracks begin at its zero), Rec.709, always one stereo track, index in front. A key frame
 * every second makes scrubbing quick and lets the filmstrip skip all else. That of a cut shows every picture (`inPlaces`).
 */
export function proxyPlan(source: string, probe: Probe, threads: number, isCut = false): string[] {
  const { video, audio, durationMs } = probe
  const fps = copyFps(probe, { isCut })
  const seconds = (durationMs / 1000).toFixed(3)
  const sound = `${audio ? `[0:${audio.stream}]${soundChain(seconds)}` : silence(seconds)}[a]`
  return [
    ...options(`-threads ${threads}`),
    ...safeInput(source, probe),
    // Each in a graph of its own: where the picture changes its size its graph is built anew, and the sound would begin again.
    ...(video ? graphed(`[0:${video.stream}]${pictureChain(video, probe, fps, isCut)}[v]`, threads) : []),
    ...graphed(sound, threads),
    ...(video ? ['-map', '[v]', ...picture(threads, fps)] : []),
    ...options('-map [a] -c:a aac -aac_coder fast -b:a 128k -ar 48000 -ac 2'),
    ...options(`-map_metadata -1 -map_chapters -1 -t ${seconds} -movflags +faststart -f mp4`),
    ...options(`-y file:${video ? proxyFile.video : proxyFile.audio}`),
  ]
}

function pictureChain(video: VideoTrack, probe: Probe, fps: number, isCut: boolean): string {
  const { durationMs } = probe
  const still = stillMs(probe)
  const rate = [...(isCut ? inPlaces(fps) : []), `fps=${fps}:start_time=0`]
  const scaled = ordinary(video, proxySize(video))
  // Neither a picture that is left out is scaled, nor one that is shown again and again.
  const isSparse = (video.pictures ?? Infinity) < (fps * durationMs) / 1000
  const chain = isSparse ? [...scaled, ...rate] : [...rate, ...scaled]
  // Where the sound goes on, the last picture stands, so that each moment has one to show and to cut on.
  return [...chain, ...(still > 0 ? [`tpad=stop_duration=${still}ms:stop_mode=clone`] : [])].join(',')
}

function soundChain(seconds: string): string {
  return `aresample=48000:${onTheClock},aformat=channel_layouts=stereo,apad=whole_dur=${seconds}`
}

function silence(seconds: string): string {
  return `anullsrc=r=48000:cl=stereo,atrim=duration=${seconds}`
}

function picture(threads: number, fps: number): string[] {
  return [
    ...options(`-c:v libx264 -preset ultrafast -crf 25 -profile:v high -pix_fmt yuv420p -threads ${threads}`),
    ...options(`-maxrate ${proxyRate} -bufsize ${2 * proxyRate}`),
    ...options(`-g ${fps} -keyint_min ${fps} -sc_threshold 0`),
    ...options('-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709'),
  ]
}
