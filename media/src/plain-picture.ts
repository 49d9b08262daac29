import { holdsInIndex } from './mixed-samples.ts'
import type { Probe, VideoTrack } from './probe.ts'

/**
 * Why the copy of a picture may lack what a network shows of it: `transparency` is drawn over something or left out, `layers` are a
 * second picture within the first, and of `hdr` and other `light` the copy has another curve, fewer colors, or a part.
 */
export type NotPlain = keyof typeof words

/**
 * Such a picture is B-roll or a layer, and never a cut. Null where it is plain. Of what earlier releases looked into, those with
 * transparency, HDR or the colors of BT.2020 are known.
 */
export function notPlain(video: Pick<VideoTrack, 'notPlain' | 'alpha' | 'hdr' | 'matrix'>): NotPlain | null {
  if (video.notPlain) return video.notPlain
  return video.alpha ? 'transparency' : video.hdr ? 'hdr' : video.matrix === 'bt2020' ? 'light' : null
}

/** The same in words for who sent it. */
export function whyNotPlain(video: Parameters<typeof notPlain>[0]): string | null {
  const why = notPlain(video)
  return why && words[why]
}

const words = {
  transparency:
    'This video has transparency, or is in a format that may have it, and reviewers would not see what a network makes of that. Export it without transparency, as H.264 or ProRes 422, and send the new file.',
  layers:
    'This video has a second picture within the first, as spatial video and HEVC with transparency have. Export it as plain H.264 or ProRes 422, and send the new file.',
  hdr: 'This video is in HDR, and reviewers would not see what only some screens show. Export it in Rec. 709 (SDR), as H.264 or ProRes 422, and send the new file.',
  light:
    'This video says two things of its brightness or colors, or some that players do not agree on, so that reviewers may see less than others. Export it in Rec. 709 (SDR), as H.264 or ProRes 422, and send the new file.',
} as const

/** What a file says of its picture; `color_*` as its pictures say it themselves, or else the file. */
export type Said = Partial<{
  codec_name: string
  pix_fmt: string
  color_range: string
  color_transfer: string
  color_space: string
  side_data_list: { side_data_type?: string }[]
}>

/** `held`: what the file alone says of its light, for players that go by it. */
export function notPlainAsSaid(
  said: Said,
  held: Pick<Said, 'color_range' | 'color_transfer' | 'color_space'>,
): NotPlain | undefined {
  const { pix_fmt = '', color_range: range } = said
  // Browsers call every WebM of theirs one with transparency: that of one that has it stands beside its pictures.
  if (!isOpaque(said)) return 'transparency'
  const beside = (said.side_data_list ?? []).map(({ side_data_type }) => side_data_type)
  const transfers = [said.color_transfer, held.color_transfer].map((one) => one ?? 'unknown')
  if (beside.includes('DOVI configuration record') || transfers.some((one) => hdr.has(one))) return 'hdr'
  const matrices = [said.color_space, held.color_space].map((one) => one ?? 'unknown')
  const isRgb = /rgb|gbr|bgr/.test(pix_fmt)
  if (transfers.some((one) => !mapped.has(one))) return 'light'
  if (matrices.some((one) => !known.has(one) && !(isRgb && one === 'gbr'))) return 'light'
  // A player that goes by the file shows what the copy takes for blacker than black, or whiter than white.
  if (held.color_range === 'pc' && range === 'tv') return 'light'
  return beside.includes('ICC Profile') ? 'light' : undefined
}

/** The same file, knowing of HEVC whether it is described as a picture within another, which ffmpeg passes over. */
export async function withLayers(file: string, found: Probe): Promise<Probe> {
  const { video, container } = found
  if (!video || video.codec !== 'hevc' || container !== 'mov' || !(await holdsInIndex(file, 'lhvC'))) return found
  return { ...found, video: { ...video, notPlain: 'layers' } }
}

/** Of the formats of studios those in 4:4:4 may begin to have transparency with any picture. */
function isOpaque({ codec_name = '', pix_fmt = '' }: Said): boolean {
  return studios.has(codec_name) ? pix_fmt.startsWith('yuv422p') : cameras.has(codec_name) && opaque.test(pix_fmt)
}

const studios: ReadonlySet<string> = new Set(['prores', 'dnxhd'])
const cameras: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'h263', 'mjpeg'])
const opaque = /^(yuvj?4\d\dp|nv\d\d|p01|gray|gbrp|rgb|bgr0|bgr24|0rgb|0bgr)(?!a)/

const hdr: ReadonlySet<string> = new Set(['arib-std-b67', 'smpte2084'])

/** Of these the copy keeps every shade apart (`ordinary`): it takes all for Rec. 709. */
const mapped: ReadonlySet<string> = new Set(
  'unknown reserved bt709 bt470m bt470bg smpte170m smpte240m iec61966-2-1 iec61966-2-4 bt1361e bt2020-10 bt2020-12'.split(
    ' ',
  ),
)

/** Of these matrices it keeps every color apart; the colors of BT.2020 are more than those of Rec. 709, and are cut off. */
const known: ReadonlySet<string> = new Set(['unknown', 'reserved', 'bt709', 'bt470bg', 'smpte170m', 'fcc'])
