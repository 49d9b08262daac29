import { holdsInIndex } from './mixed-samples.ts'
import type { Probe, VideoTrack } from './probe.ts'

/**
 * Why the copy of a picture may lack what a network shows of it: `transparency` is drawn over something or left out, `layers` are a
 * second picture within the first, and of `pq` and other `light` the copy has another curve, or a part.
 */
export type NotPlain = keyof typeof words

/**
 * Such a picture is B-roll or a layer, and never a cut. Null where it is plain. Of what earlier releases looked into, those with
 * transparency or PQ are known.
 */
export function notPlain(video: Pick<VideoTrack, 'notPlain' | 'alpha' | 'hdr'>): NotPlain | null {
  return video.notPlain ?? (video.alpha ? 'transparency' : video.hdr === 'pq' ? 'pq' : null)
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
  pq: 'This video is in HDR of the kind PQ (HDR10 or Dolby Vision), and reviewers would not see what only a very bright screen shows. Export it in Rec. 709 (SDR), or in HLG, and send the new file.',
  light:
    'This video says two things of its brightness, or one that few players understand, so that reviewers may see less than others. Export it in Rec. 709 (SDR) as H.264, and send the new file.',
} as const

/** What a file says of its picture; `color_*` as its pictures say it themselves, or else the file. */
export type Said = Partial<{
  codec_name: string
  pix_fmt: string
  color_range: string
  color_transfer: string
  tags: { alpha_mode?: string }
  side_data_list: Partial<{
    side_data_type: string
    el_present_flag: number
    dv_bl_signal_compatibility_id: number
  }>[]
}>

/** `held`: what the file alone says of its light, for players that go by it. */
export function notPlainAsSaid(said: Said, held: Pick<Said, 'color_range' | 'color_transfer'>): NotPlain | undefined {
  const { tags, side_data_list: more = [], color_transfer: transfer, color_range: range } = said
  if (!isOpaque(said) || Number(tags?.alpha_mode)) return 'transparency'
  const dolby = more.find(({ side_data_type }) => side_data_type === 'DOVI configuration record')
  if (dolby?.el_present_flag) return 'layers'
  const transfers = [transfer, held.color_transfer].map((one) => one ?? 'unknown')
  // Of its other kinds the picture below is PQ, or in colors of its own.
  const isDolbyAlone = dolby && ![sdr, hlg].includes(dolby.dv_bl_signal_compatibility_id ?? 0)
  if (transfers.includes('smpte2084') || isDolbyAlone) return 'pq'
  if (transfers.some((one) => !mapped.has(one))) return 'light'
  if (transfers.includes('arib-std-b67') && !/1[0246](le|be)?$/.test(said.pix_fmt ?? '')) return 'light'
  // A player that goes by the file shows what the copy takes for blacker than black, or whiter than white.
  if (held.color_range === 'pc' && range === 'tv') return 'light'
  return more.some(({ side_data_type }) => side_data_type === 'ICC Profile') ? 'light' : undefined
}

/** The same file, knowing of HEVC whether it is described as a picture within another, which ffmpeg passes over. */
export async function withLayers(file: string, found: Probe): Promise<Probe> {
  const { video, container } = found
  if (!video || video.codec !== 'hevc' || container !== 'mov' || !(await holdsInIndex(file, 'lhvC'))) return found
  return { ...found, video: { ...video, notPlain: 'layers' } }
}

/** Dolby Vision’s numbers for the picture that players without it show. */
const [sdr, hlg] = [2, 4]

/** Of the formats of studios those in 4:4:4 may begin to have transparency with any picture. */
function isOpaque({ codec_name = '', pix_fmt = '' }: Said): boolean {
  return studios.has(codec_name) ? pix_fmt.startsWith('yuv422p') : cameras.has(codec_name) && opaque.test(pix_fmt)
}

const studios: ReadonlySet<string> = new Set(['prores', 'dnxhd'])
const cameras: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'h263', 'mjpeg'])
const opaque = /^(yuvj?4\d\dp|nv\d\d|p01|gray|gbrp|rgb|bgr0|bgr24|0rgb|0bgr)(?!a)/

/** Of these the copy keeps every shade apart (`ordinary`): it takes all but HLG for Rec. 709. */
const mapped: ReadonlySet<string> = new Set(
  'unknown reserved bt709 bt470m bt470bg smpte170m smpte240m iec61966-2-1 iec61966-2-4 bt1361e bt2020-10 bt2020-12 arib-std-b67'.split(
    ' ',
  ),
)
