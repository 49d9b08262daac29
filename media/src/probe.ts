import { decodes, type Seen } from './decodes.ts'
import { ffprobe, refusalFrom } from './ffprobe.ts'
import { mostPictures, mostPixels, mostStreams, options } from './input.ts'
import { linewise } from './linewise.ts'
import type { Size } from './picture.ts'
import { notPlainAsSaid, withLayers, type NotPlain, type Said } from './plain-picture.ts'
import { sniffFormat, type Container, type SniffedFormat } from './sniff-format.ts'
import { refusal, type Refusal } from './refusal.ts'
import { unseenMeter, type Unseen } from './unseen-pictures.ts'

/** A file that can be worked with. Sizes are upright and in square pixels: as a person sees the picture. */
export type Probe = {
  ok: true
  kind: 'video' | 'audio' | 'picture'
  container: Container
  /** Calls itself MP4 (and not QuickTime). */
  mp4: boolean
  /** Its header names an end behind which it goes on: some players stop there, and networks may not. */
  namesLessTime?: true
  bytes: number
  /** 0 for a picture. */
  durationMs: number
  video: VideoTrack | null
  audio: AudioTrack | null
  /** How many tracks lie beside these that another program may choose to play; absent without any. */
  moreTracks?: number
}

export type VideoTrack = {
  /** The stream's number in the file. */
  stream: number
  codec: string
  width: number
  height: number
  /**
   * The largest of its pictures, as stored: a browser's recorder makes them larger and smaller on the way. No larger one is
   * decoded (`safeInput`). Absent in a still picture, and in what earlier releases found: those may have the most we take.
   */
  largest?: Size
  /** How far the stored picture is turned clockwise to stand upright. */
  rotation: 0 | 90 | 180 | 270
  /** Pictures a second, on average; 0 for a still picture. */
  fps: number
  constantRate: boolean
  /** Of all the file; absent in a still picture, and in what earlier releases found. */
  pictures?: number
  /** Those of them that a copy of 30, and of 60 a second does not show; absent where either shows all, and in what earlier releases found. */
  unseen?: Unseen
  /**
   * When its last picture begins, in ms from the file's beginning; the sound may go on for long. Absent where it could
   * not be found, and in what earlier releases found: `withPictureEnd` looks again.
   */
  lastMs?: number
  pixelFormat: string
  /** `hlg` and `pq` are the two kinds of high dynamic range; null is ordinary video. */
  hdr: 'hlg' | 'pq' | null
  /** The matrix its colours were stored with; guessed by size where the file does not say. */
  matrix: 'bt709' | 'bt601' | 'bt2020' | 'rgb'
  alpha: boolean
  /** Why it is no picture of a cut; absent where it may be one, and in what earlier releases found: `notPlain` says it of those, too. */
  notPlain?: NotPlain
}

export type AudioTrack = {
  stream: number
  codec: string
  channels: number
  /** Where these are not simply one, or a left and a right; absent as well in what earlier releases found. */
  layout?: string
  sampleRate: number
}

export type ProbeLimits = { maxDurationMs: number; maxFps: number }

const usual = { maxDurationMs: 60 * 60_000, maxFps: 300 } satisfies ProbeLimits

/**
 * Finds out what a file is and whether it can be worked with: first bytes, then ffprobe, then decoding its first,
 * middle and last second. Throws MediaTrouble and Error for faults of this machine, and the signal's reason.
 */
export async function probe(
  file: string,
  { signal, limits }: { signal?: AbortSignal | undefined; limits?: Partial<ProbeLimits> } = {},
): Promise<Probe | Refusal> {
  const most = { ...usual, ...limits }
  const seen = await sniffFormat(file)
  if (!seen.ok) return seen
  const bare = await bareTracks(file, seen.container, signal)
  const pictures = bare && bare.pictures
  if (pictures !== null && pictures > mostPictures) return refusal('too-many-tracks')
  const show = isStill(seen.container) ? `${entries}:frame_side_data=rotation` : entries
  const read = await ffprobe(file, seen.container, ['-of', 'json=compact=1', '-show_entries', show], signal)
  const told = spoken(read.stderr)
  if (told) return told
  // With pictures that could not be counted, it is the file that takes the memory.
  if (!read.ok && read.why === 'memory' && pictures === null) return refusal('too-heavy')
  if (!read.ok) return refusalFrom(read)
  const understood = understand(seen, read.stdout, bare?.tracks ?? [])
  if (!understood.ok) return understood
  const { found, start } = understood
  if (found.kind === 'picture') return await decodes(file, found, null, signal)
  const claimed = found.durationMs > 0 ? tooMuch(found, most) : undefined
  if (claimed) return claimed
  const timed = await withTiming(file, await withLayers(file, found), start, signal)
  if (!timed.ok) return timed
  const refused = tooMuch(timed.found, most)
  if (refused) return refused
  const ended = await withPictureEnd(file, timed.found, signal)
  return await decodes(file, await withLargest(file, ended, signal), timed.seen, signal)
}

/**
 * How many picture tracks and covers a file has, counted while no decoder runs: a PNG of 140 kB takes 134 MB, so that those of a
 * small file would exhaust what a child may use, and pass for the machine's trouble. Null where a track cannot be opened so.
 */
export async function countPictures(
  file: string,
  container: Container,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  return (await bareTracks(file, container, signal))?.pictures ?? null
}

/** The same with what the file alone says of each track's light, whatever its pictures say themselves. */
async function bareTracks(
  file: string,
  container: Container,
  signal: AbortSignal | undefined,
): Promise<{ pictures: number; tracks: Stream[] } | null> {
  if (isStill(container)) return { pictures: 1, tracks: [] }
  const show = options(
    '-nofind_stream_info -of json=compact=1 -show_entries stream=index,codec_type,color_range,color_transfer,color_space',
  )
  const read = await ffprobe(file, container, show, signal)
  if (!read.ok && (read.why === 'time' || read.why === 'memory') && !spoken(read.stderr)) refusalFrom(read)
  if (!read.ok) return null
  const { streams: tracks = [] }: Told = JSON.parse(read.stdout.toString('utf8'))
  return { pictures: tracks.filter(({ codec_type }) => codec_type === 'video').length, tracks }
}

/**
 * The same with the time of the last picture, read from the packets of the file's end. Phones, and programs that join
 * recordings, write files whose sound outlasts the picture by seconds.
 */
export async function withPictureEnd(file: string, found: Probe, signal?: AbortSignal): Promise<Probe> {
  const { video } = found
  if (found.kind !== 'video' || !video || video.lastMs !== undefined) return found
  let first = 0
  let last: number | undefined
  const onOutput = linewise((line) => {
    const [what = '', number = ''] = line.split('=')
    // Behind the time of a browser's picture stands what else came with it: `0.034|side_data|`.
    const seconds = Number.parseFloat(number)
    if (!Number.isFinite(seconds)) return
    if (what === 'format|start_time') first = seconds
    if (what === 'packet|pts_time') last = Math.max(last ?? seconds, seconds)
  })
  const at = (found.durationMs / 1000).toFixed(3)
  const show = ['-of', 'compact', '-show_entries', 'packet=pts_time:format=start_time']
  const part = ['-read_intervals', `${at}%`, '-select_streams', `${video.stream}`]
  const read = await ffprobe(file, found.container, [...show, ...part], signal, onOutput)
  // A file in which nobody can go to the end is read from its beginning, and shows there how far it comes.
  if (!read.ok || last === undefined) return found
  return { ...found, video: { ...video, lastMs: Math.max(0, Math.round(1000 * (last - first))) } }
}

/** How long the last picture stands while the sound goes on, ms; 0 where that is no longer than the eye would notice. */
export function stillMs({ durationMs, video }: Pick<Probe, 'durationMs' | 'video'>): number {
  const shown = video?.lastMs === undefined ? durationMs : video.lastMs + 1000 / Math.max(1, video.fps)
  const still = Math.round(durationMs - shown)
  return still > 100 ? still : 0
}

/**
 * Whether any browser can play the file as it is: H.264 up to 1080p, 8 bits, upright, ordinary colours, AAC, in MP4; and
 * a picture for every moment, because players that are sent behind the last one show black.
 */
export function playableAsIs({ mp4, bytes, durationMs, video, audio, namesLessTime }: Probe): boolean {
  if (!mp4 || namesLessTime || !video || video.codec !== 'h264' || video.rotation !== 0 || video.hdr) return false
  const fits = Math.min(video.width, video.height) <= 1080 && Math.max(video.width, video.height) <= 1920
  const light = (bytes * 8000) / Math.max(durationMs, 1) <= 25_000_000
  const plain = video.pixelFormat === 'yuv420p' && video.matrix !== 'bt2020' && video.fps <= 60.5
  const lasts = stillMs({ durationMs, video }) < 1000
  return fits && light && plain && lasts && (!audio || (audio.codec === 'aac' && audio.channels <= 2))
}

const entries =
  'stream=index,codec_type,codec_name,codec_tag_string,pix_fmt,width,height,sample_aspect_ratio,avg_frame_rate,color_space,' +
  'color_transfer,color_range,channels,channel_layout,sample_rate:stream_disposition=attached_pic,default:' +
  'stream_side_data=rotation,side_data_type:' +
  'format=start_time,duration,nb_streams'

function isStill(container: Container): boolean {
  return container === 'png' || container === 'jpeg' || container === 'webp'
}

/** The limits of ours that ffprobe names when a file runs into them. */
function spoken(stderr: string): Refusal | undefined {
  const [, wide, high] = /Picture size (\d+)x(\d+) exceeds/.exec(stderr) ?? []
  if (wide && high) return refusal('too-big-picture', `${wide} × ${high}`)
  if (stderr.includes('exceeds max_streams')) return refusal('too-many-tracks')
  return stderr.includes('not on whitelist') ? refusal('unsupported-codec') : undefined
}

type Told = {
  streams?: Stream[]
  frames?: Turned[]
  format?: { start_time?: string; duration?: string; nb_streams?: number }
}

type Turned = { side_data_list?: { rotation?: number }[] }

type Stream = Turned &
  Said &
  Partial<{
    index: number
    codec_type: string
    codec_tag_string: string
    width: number
    height: number
    sample_aspect_ratio: string
    avg_frame_rate: string
    channels: number
    channel_layout: string
    sample_rate: string
    disposition: { attached_pic?: number; default?: number }
  }>

/** `start`: the second of the file's own clock at which ffmpeg begins, and puts zero; NaN where it does not say. */
type Understood = { ok: true; found: Probe; start: number }

/** `held`: what the file alone says of its tracks. */
function understand(seen: SniffedFormat, json: Buffer, held: readonly Stream[]): Understood | Refusal {
  const told: Told = JSON.parse(json.toString('utf8'))
  const streams = told.streams ?? []
  const drawn = streams.filter((s) => s.codec_type === 'video')
  if (streams.length >= mostStreams || drawn.length > mostPictures) return refusal('too-many-tracks')
  const pictures = drawn.filter((s) => !s.disposition?.attached_pic)
  const sounds = streams.filter((s) => s.codec_type === 'audio')
  const picture = preferred(pictures.filter((s) => s.codec_name && s.pix_fmt && s.width && s.height))
  // Phones add spatial tracks that only they can read, without a known codec: the plain one beside them is taken.
  const sound = preferred(sounds.filter((s) => s.codec_name && s.channels && Number(s.sample_rate) > 0))
  // Whatever it calls itself: others know kinds of pictures, sounds and captions that ffmpeg does not, and reads as data.
  const others = streams.filter((s) => s !== picture && s !== sound)
  const moreTracks = others.filter((s) => !isOfCameras(seen.container, s)).length
  const still = isStill(seen.container)
  if (still && !picture) return refusal('picture-format', `animated ${seen.container}`)
  if (!picture && pictures.length > 0) return refusal(pictures.some(known) ? 'damaged' : 'unsupported-codec')
  if (!picture && !sound) return refusal(sounds.length > 0 ? 'unsupported-codec' : 'nothing-inside')
  // Each is decoded whenever the file is opened: room for the largest picture, and as much beside it.
  const points = drawn.reduce((sum, { width = 0, height = 0 }) => sum + width * height, 0)
  if (!still && points > 2 * mostPixels.video) return refusal('too-many-tracks')
  if (!still && deep.test(picture?.pix_fmt ?? '')) return refusal('unsupported-codec')
  if (sound && ((sound.channels ?? 0) > mostSound.channels || Number(sound.sample_rate) > mostSound.rate))
    return refusal('too-heavy')
  const light = held.find(({ index }) => index === picture?.index) ?? {}
  const video = picture ? videoTrack(picture, light, turn(picture) ?? turn(told.frames?.[0]) ?? 0, still) : null
  if (video && video.width * video.height > mostPixels[still ? 'picture' : 'video'])
    return refusal('too-big-picture', `${video.width} × ${video.height}`)
  if (video && Math.min(video.width, video.height) < 16)
    return refusal('too-small-picture', `${video.width} × ${video.height}`)
  const found: Probe = {
    ok: true,
    kind: still ? 'picture' : video ? 'video' : 'audio',
    container: seen.container,
    mp4: seen.mp4,
    bytes: seen.bytes,
    durationMs: still ? 0 : Math.round(1000 * (positive(told.format?.duration) ?? 0)),
    video,
    audio: sound ? audioTrack(sound) : null,
    ...(moreTracks > 0 && { moreTracks }),
  }
  return { ok: true, found, start: Number.parseFloat(told.format?.start_time ?? '') }
}

/**
 * What cameras and editing programs write beside the picture, and nobody plays: time codes, and notes on places, movement and
 * lenses. By the kind of their samples; a Matroska file has none.
 */
function isOfCameras(container: Container, { codec_type, codec_tag_string = '' }: Stream): boolean {
  return container === 'mov' && codec_type === 'data' && notes.has(codec_tag_string)
}

/** Time code; Apple; GoPro; Sony; Google; Canon; DJI; Android. */
const notes: ReadonlySet<string> = new Set(
  ['tmcd', 'mebx', 'gpmd fdsc', 'rtmd', 'camm', 'CTMD', 'djmd dbgi priv', 'mett'].flatMap((kinds) => kinds.split(' ')),
)

/**
 * PNG of 16 bits a colour: no camera, screen recorder or editing program moves it, and a picture of 4096 × 4096 takes 40 times
 * the work of one in H.264.
 */
const deep = /^(rgb48|rgba64|gray16|ya16)/

/** Of a sound; studios have less. */
const mostSound = { rate: 384_000, channels: 32 }

/** A codec with a name, and still no picture: the data were not what they claimed. */
function known(stream: Stream): boolean {
  return stream.codec_name !== undefined && stream.codec_name !== 'unknown'
}

function preferred(streams: Stream[]): Stream | undefined {
  return streams.find((s) => s.disposition?.default) ?? streams[0]
}

function videoTrack(stream: Stream, light: Said, turned: number, still: boolean): VideoTrack {
  const pixelFormat = stream.pix_fmt ?? ''
  const [wide = 1, high = 1] = (stream.sample_aspect_ratio ?? '').split(':').map(Number)
  // Shapes beyond 1:4 are nonsense in a header rather than a real lens.
  const shape = wide > 0 && high > 0 && wide / high >= 0.25 && wide / high <= 4 ? wide / high : 1
  const stored = { width: Math.round((stream.width ?? 0) * shape), height: stream.height ?? 0 }
  const rotation = quarter(turned)
  const lying = rotation === 90 || rotation === 270
  const why = still ? undefined : notPlainAsSaid(stream, light)
  return {
    stream: stream.index ?? 0,
    codec: stream.codec_name ?? '',
    width: lying ? stored.height : stored.width,
    height: lying ? stored.width : stored.height,
    rotation,
    fps: still ? 0 : (ratio(stream.avg_frame_rate) ?? 0),
    constantRate: true,
    ...(!still && { largest: { width: stream.width ?? 0, height: stream.height ?? 0 } }),
    pixelFormat,
    hdr: transfers[stream.color_transfer ?? ''] ?? null,
    matrix: /^(gbr|rgb|bgr|argb|abgr|pal|gray|mono)/.test(pixelFormat)
      ? 'rgb'
      : (matrices[stream.color_space ?? ''] ?? (Math.min(stored.width, stored.height) < 720 ? 'bt601' : 'bt709')),
    alpha: /^(rgba|bgra|argb|abgr|gbrap|yuva|ya|pal8)/.test(pixelFormat),
    ...(why !== undefined && { notPlain: why }),
  }
}

const transfers: Record<string, 'hlg' | 'pq'> = { 'arib-std-b67': 'hlg', smpte2084: 'pq' }

const matrices: Record<string, VideoTrack['matrix']> = {
  bt709: 'bt709',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  fcc: 'bt601',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
}

function turn(side: Turned | undefined): number | undefined {
  return side?.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation
}

/** ffprobe counts degrees against the clock. */
function quarter(rotation: number): VideoTrack['rotation'] {
  const turns = (((Math.round(-rotation / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3
  return ([0, 90, 180, 270] as const)[turns]
}

function audioTrack({ index = 0, codec_name = '', channels = 0, channel_layout, sample_rate }: Stream): AudioTrack {
  // A file that does not say it means what is usual.
  const layout = channel_layout && channel_layout !== 'unknown' ? channel_layout : `${channels} channels`
  const isUsual = usualLayouts.has(layout)
  return { stream: index, codec: codec_name, channels, ...(!isUsual && { layout }), sampleRate: Number(sample_rate) }
}

/** QuickTime may say of a single one that it is the left. */
const usualLayouts: ReadonlySet<string> = new Set([
  'mono',
  '1 channels',
  '1 channels (FL)',
  '1 channels (FR)',
  'stereo',
  '2 channels',
  'downmix',
])

function ratio(text: string | undefined): number | undefined {
  const [above = 0, below = 0] = (text ?? '').split('/').map(Number)
  return below > 0 && above > 0 ? above / below : undefined
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text)
  return Number.isFinite(number) && number > 0 ? number : undefined
}

function tooMuch({ durationMs, video }: Probe, most: ProbeLimits): Refusal | undefined {
  if (durationMs > most.maxDurationMs) return refusal('too-long', `${Math.round(durationMs / 60_000)}`)
  if (durationMs < 500) return refusal('too-short')
  // Recorders write a rate of thousands when they do not know it; what counts is what the packets showed.
  if (video && video.fps > most.maxFps && !video.constantRate) return undefined
  if (video && video.fps > most.maxFps) return refusal('too-many-pictures', `${Math.round(video.fps)}`)
  return undefined
}

/** Packets of all tracks in so many seconds: 240 pictures and 400 pieces of sound in each are the most that is made. */
const mostPackets = (seconds: number): number => 20_000 + 1000 * seconds

/**
 * The times of the first ten seconds' pictures tell the real rate. A file is read to its end, however it begins: pictures
 * that come later are work, too, some files hide their length, and one that goes on behind the end that it names is as long
 * as it goes on, and played by our copy alone.
 */
async function withTiming(
  file: string,
  found: Probe,
  start: number,
  signal: AbortSignal | undefined,
): Promise<{ ok: true; found: Probe; seen: Seen } | Refusal> {
  const { video } = found
  const first: number[] = []
  let [pictures, additions, packets, bytes] = [0, 0, 0, 0]
  let [begin, end, firstPicture] = [Infinity, -Infinity, Infinity]
  const unseen = unseenMeter()
  const onOutput = linewise((line) => {
    // Beside the picture of a WebM stands its transparency.
    if (line.includes('BlockAdditional')) additions++
    // What comes behind that is a line of its own, of which nothing is shown.
    if (!/^\d/.test(line)) return
    const [stream, at, lasts, size] = line.split(',').map(Number)
    const isPicture = stream === video?.stream
    // What an edit list leaves out, as a phone's trim does, is decoded and not shown.
    const isShown = !/,[K_]D/.test(line)
    if (isPicture) pictures++
    if (isPicture && isShown) unseen.take((at ?? NaN) - (start || 0))
    packets++
    bytes += size || 0
    if (at === undefined || !Number.isFinite(at)) return
    if (isShown) begin = Math.min(begin, at)
    end = Math.max(end, at + (lasts || 0))
    if (isPicture && isShown) firstPicture = Math.min(firstPicture, at)
    if (isPicture && first.length < 5000 && at <= (first[0] ?? at) + 10) first.push(at)
  })
  const show = ['-of', 'csv=p=0', '-show_entries', `${timing}:packet_side_data=side_data_type`]
  const read = await ffprobe(file, found.container, show, signal, onOutput)
  if (!read.ok) return refusalFrom(read)
  // Twice, because an edit list may show a part again. Beyond, an index names the same bytes for many pictures.
  if (bytes > 2 * found.bytes) return refusal('too-heavy')
  // Its copy begins there, and so do all times that are asked of it.
  const from = Number.isFinite(start) ? start : Math.min(begin, 0)
  const goesOnMs = Math.max(0, Math.round((end - from) * 1000)) || 0
  if (video && packets > mostPackets(goesOnMs / 1000)) return refusal('too-heavy')
  // Most files name their end on their own clock, and not their length; none is shorter than what it holds.
  const namedMs = Math.max(found.durationMs - 1000 * Math.max(0, from), Math.min(found.durationMs, goesOnMs))
  const isLonger = found.durationMs > 0 && goesOnMs > found.durationMs + 1000
  const durationMs = isLonger ? goesOnMs : Math.round(namedMs) || goesOnMs
  const timed: Probe = { ...found, durationMs, ...(isLonger && { namesLessTime: true }) }
  const seen = { firstMs: firstPicture < Infinity ? 1000 * Math.max(0, firstPicture - from) : 0, endMs: goesOnMs }
  if (!video) return { ok: true, found: timed, seen }
  const { fps, constant } = rate(first)
  const missing = unseen.done()
  const measured = {
    ...video,
    fps: fps ?? video.fps,
    constantRate: constant,
    pictures,
    ...(missing.at30 > 0 && { unseen: missing }),
    ...(additions > 0 && { notPlain: 'transparency' as const }),
  }
  return { ok: true, found: { ...timed, video: measured }, seen }
}

const timing = 'packet=stream_index,pts_time,duration_time,size,flags'

/**
 * The same with the largest of the pictures that can be gone to: where a recorder changes the size, it begins anew with one.
 * What grows between them is not decoded, and one that takes too long to look through may not grow.
 */
async function withLargest(file: string, found: Probe, signal: AbortSignal | undefined): Promise<Probe> {
  const { video } = found
  if (!video?.largest || !recorded.has(video.codec)) return found
  let { largest } = video
  const onOutput = linewise((line) => {
    const [width = 0, height = 0] = line.split(',').map(Number)
    if (width * height > largest.width * largest.height) largest = { width, height }
  })
  const show = options(`-skip_frame nokey -select_streams ${video.stream} -of csv=p=0 -show_entries frame=width,height`)
  const read = await ffprobe(file, found.container, show, signal, onOutput)
  // What is too large for us, or damaged, is not decoded later either; only a machine in trouble says nothing of the file.
  if (!read.ok && (read.why === 'time' || read.why === 'memory')) refusalFrom(read)
  return { ...found, video: { ...video, largest } }
}

/** What browsers record in. Each picture of other kinds stands for itself, and a camera does not change their size. */
const recorded: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1'])

function rate(pictures: number[]): { fps?: number; constant: boolean } {
  const at = pictures.toSorted((a, b) => a - b)
  const gaps = at
    .slice(1)
    .map((time, i) => time - (at[i] ?? 0))
    .toSorted((a, b) => a - b)
  const first = at[0]
  const last = at.at(-1)
  if (gaps.length < 2 || first === undefined || last === undefined || last <= first) return { constant: true }
  const pick = (share: number) => gaps[Math.floor(share * (gaps.length - 1))] ?? 0
  return {
    fps: Math.round((1000 * gaps.length) / (last - first)) / 1000,
    constant: pick(0.98) - pick(0.02) <= 0.15 * pick(0.5),
  }
}
