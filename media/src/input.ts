import { resolve } from 'node:path'
import type { Size } from './picture.ts'
import type { Container } from './sniff-format.ts'

/** The most points a picture may have: room for 4K in any shape from a camera, and for photographs. */
export const mostPixels = { video: 16_777_216, picture: 67_108_864 } as const
export const mostStreams = 32
/** Picture tracks and covers together. ffmpeg decodes the first picture of each whenever it opens the file. */
export const mostPictures = 5

/** A file as far as it was looked at: `video` is null before that, and where there is none. */
export type Input = { container: Container; video: { stream: number; largest?: Size } | null }

/** A copy that we made. */
export const ours = { container: 'mov', video: null } satisfies Input

/**
 * The options that must stand before any file that a person sent: one demuxer, named by us and not guessed; files only,
 * so that nothing inside can name an address; decoders from a short list; and no picture larger than those that the probe
 * found. The file must have passed `look`.
 */
export function safeInput(source: string, { container, video }: Input): string[] {
  const demuxer = demuxers[container]
  const picture = container === 'png' || container === 'jpeg' || container === 'webp'
  const most = mostPixels[picture ? 'picture' : 'video']
  return [
    ...options(`-protocol_whitelist file -format_whitelist ${demuxer} -codec_whitelist ${decoders}`),
    ...options(`-max_streams ${mostStreams} -max_pixels ${most}`),
    // Where the picture begins later than this, in µs, nothing is known of it, and in a WebM no moment before it is found.
    ...(picture ? [] : options('-analyzeduration 60000000')),
    // Of its own track alone: others are not decoded, and may well be larger, such as a cover.
    ...(video?.largest ? options(`-max_pixels:${video.stream} ${Math.min(most, room(video.largest))}`) : []),
    ...(container === 'mov' ? options('-enable_drefs 0 -use_absolute_path 0') : []),
    ...options(`-f ${demuxer} -i`),
    `file:${resolve(source)}`,
  ]
}

/** The points that a decoder takes for a picture of that size: both sides in whole blocks, and never less than small work. */
function room({ width, height }: Size): number {
  const blocks = (side: number) => 64 * Math.ceil(side / 64)
  return Math.max(leastPicture, Math.ceil(1.1 * blocks(width) * blocks(height)))
}

/** What work on a small picture is reckoned as, too (`domain/src/upload-room.ts`). */
const leastPicture = 640 * 360

/** Options that need no care, written as on a command line. Paths and graphs never go through here: they hold spaces. */
export function options(line: string): string[] {
  return line.split(' ')
}

/**
 * What `aresample` is told so that sound keeps to its file’s clock, from zero on. Browsers on busy machines lose pieces of it,
 * 20 to 40 ms each: the file says when the rest was heard, and ffmpeg alone would put up with 100 ms before it looks.
 */
export const onTheClock = 'async=1:min_hard_comp=0.02:first_pts=0'

/** A graph with the threads it may take. */
export function graphed(graph: string, threads: number): string[] {
  return ['-filter_complex_threads', `${threads}`, '-filter_complex', graph]
}

/** So many terms ffmpeg adds up in a row; in an expression that is longer or deeper it says that it has no memory. */
const mostTerms = 50

/** The sum of the terms of an expression, however many there are: half of them at a time. */
export function sumOf(terms: readonly string[]): string {
  if (terms.length <= mostTerms) return terms.join('+') || '0'
  const half = terms.length >> 1
  return `(${sumOf(terms.slice(0, half))})+(${sumOf(terms.slice(half))})`
}

const demuxers = {
  mov: 'mov',
  matroska: 'matroska',
  wav: 'wav',
  mp3: 'mp3',
  png: 'png_pipe',
  jpeg: 'jpeg_pipe',
  webp: 'webp_pipe',
} satisfies Record<Container, string>

/** What phones, browsers and editing programs send. By decoder name; a name this ffmpeg lacks does no harm. */
const decoders = [
  'h264,hevc,vp8,vp9,libvpx,libvpx-vp9,libdav1d,libaom-av1,av1,mpeg4,h263,prores,dnxhd,mjpeg,png,webp',
  'aac,mp3,mp3float,opus,libopus,vorbis,libvorbis,alac,flac,ac3,eac3,amrnb,amrwb,libopencore_amrnb,libopencore_amrwb',
  'pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_mulaw',
  // Captions that ride along: never decoded, but ffprobe refuses the whole file over a track that it may not open.
  'mov_text,cc_dec,subrip,srt,webvtt,ass,ssa,text',
].join(',')
