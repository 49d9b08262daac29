import { graphed, options, safeInput } from './input.ts'
import { fitted, forJpeg, ordinary, type Size } from './picture.ts'
import type { Probe, VideoTrack } from './probe.ts'

export type Poster = { file: string } & Size

export const posterFile = 'poster.jpg'
export const thumbFile = 'thumb.jpg'

/** The sizes of the poster (720 on its short side, as the proxy) and of the small one for cards and lists. */
export function posterSizes(video: VideoTrack): { poster: Size; thumb: Size } {
  return { poster: fitted(video, 720, 1920), thumb: fitted(video, 240, 640) }
}

/**
 * One good frame near the start (a tenth in, at most two seconds: people start to speak there), as two JPEGs.
 * `thumbnail` leaves out a frame that differs from its neighbours: a blink of black, a blur.
 */
export function posterPlan(
  source: string,
  { container, durationMs }: Pick<Probe, 'container' | 'durationMs'>,
  video: VideoTrack,
  threads: number,
): string[] {
  const { poster, thumb } = posterSizes(video)
  const usual = Math.min(2, durationMs / 10_000)
  // The sound may go on long after the last picture.
  const at = (video.lastMs ?? Infinity) > 1000 * (usual + 1) ? usual : 0
  const still = durationMs === 0
  const plain = ordinary(video, poster).join(',')
  // A logo's clear parts must not turn black: it lies on a grey that neither black nor white letters vanish on.
  const base = video.alpha
    ? `[0:${video.stream}]scale=w=${poster.width}:h=${poster.height},format=rgba[top];` +
      `color=c=0xB9C1CF:s=${poster.width}x${poster.height}[under];[under][top]overlay=shortest=1,${plain}`
    : `[0:${video.stream}]${plain}`
  const graph = [
    `${base}${still ? '' : ',thumbnail=n=24'},split[a][b]`,
    `[a]${forJpeg(poster).join(',')}[poster]`,
    `[b]${forJpeg(thumb).join(',')}[thumb]`,
  ].join(';')
  const jpeg = '-frames:v 1 -c:v mjpeg -q:v 3 -map_metadata -1 -f image2 -update 1'
  return [
    ...options(`-threads ${threads}`),
    ...(at > 0 ? options(`-noaccurate_seek -ss ${at.toFixed(3)}`) : []),
    ...safeInput(source, { container, video }),
    ...graphed(graph, threads),
    ...options(`-map [poster] ${jpeg} -y file:${posterFile}`),
    ...options(`-map [thumb] ${jpeg} -y file:${thumbFile}`),
  ]
}
