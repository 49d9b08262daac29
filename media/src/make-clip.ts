import { access, constants, copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Layer } from './clip-paint.ts'
import { captionBar, endCard, even, presenter, room, stage, titleCard, type Stage } from './clip-scene.ts'
import { street } from './clip-street.ts'
import { speech, type Saying, type Speaker } from './clip-speech.ts'
import { murmur, type Voice } from './clip-voice.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { graphed, options } from './input.ts'
import { ffmpegPath, threads } from './tools.ts'

export type Clip = {
  /** The file to write (MP4: H.264 and AAC); an existing one is replaced. */
  out: string
  /** At least so long; longer when what is said takes longer. */
  seconds: number
  /** Even numbers; upright (720 × 1280) or wide. */
  width: number
  height: number
  /** Shown on a card for the first seconds, where the machine has a font. */
  title?: string
  /** The room's colour in degrees; with `seed` it makes one clip look different from the next. */
  hue: number
  seed?: number
  /** Where it is; missing: in a room. */
  scene?: 'room' | 'street'
  /** Who is seen, the last in front; missing: one person in the middle. None: the room alone. */
  people?: readonly DrawnPerson[]
  /** False leaves the sound track out. */
  voice?: boolean
  /** Stretches in seconds in which the person says nothing: what an editor would cut. */
  pauses?: readonly (readonly [from: number, to: number])[]
  /** Words instead of a murmur, where ffmpeg has a synthesizer. In a finished cut each text is one of the captions. */
  says?: { speaker: Speaker; parts: readonly Saying[] }
  /** Makes it a finished cut: captions one after the other over the whole length, and a closing card with a name. */
  finished?: { captions?: readonly string[]; name?: string }
  /** A TrueType or OpenType file; else one of the usual places is tried, else there is no text. */
  font?: string
  signal?: AbortSignal | undefined
}

/** A person in a clip: the head's middle as a share of the width, how large (1: as usual), and another look than the clip's. */
export type DrawnPerson = {
  x: number
  size?: number
  seed?: number
  /** Goes to there between these seconds. */
  walks?: { x: number; from: number; to: number }
}

/**
 * Draws a short sample video: a made-up person in a bright room who seems to speak. Nobody's face, nobody's voice,
 * no file but this code. Throws an Error with ffmpeg's words when it fails.
 */
export async function makeClip(clip: Clip): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clip-'))
  try {
    const seed = clip.seed ?? Math.round(clip.hue)
    const spoken = clip.says && (await speech(clip.says.parts, { ...clip.says, folder, signal: clip.signal }))
    const seconds = Math.max(clip.seconds, spoken ? spoken.seconds + (clip.finished ? closing : 0) : 0)
    const voice = clip.voice === false ? null : (spoken ?? murmur(seconds, seed, clip.pauses))
    const plan = await draw({ ...clip, seconds }, folder, seed, voice, spoken?.said)
    const ran = await runFfmpeg({
      args: plan,
      reads: clip.font ? [clip.font] : [],
      outDir: folder,
      signal: clip.signal,
      limits: { cpuSeconds: 60 + seconds * 10, wallMs: 120_000 + seconds * 20_000 },
    })
    if (!ran.ok) throw new Error(`A sample clip could not be made: ${ran.stderr}`)
    await rename(join(folder, 'clip.mp4'), clip.out).catch(() => copyFile(join(folder, 'clip.mp4'), clip.out))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const fps = 30
const closing = 1.8

/** Paints the layers into the folder and answers with ffmpeg's options: the layers are painted once, then only moved. */
async function draw(clip: Clip, folder: string, seed: number, voice: Voice | null, said?: Times): Promise<string[]> {
  const place = stage(clip.width, clip.height)
  const { u } = place
  const inputs: string[] = []
  const steps: string[] = []
  let count = 0
  let last = 'base'
  const input = async ({ width, height, data }: Layer) => {
    await writeFile(join(folder, `${count}.raw`), data)
    inputs.push(
      ...options(`-f rawvideo -pix_fmt rgba -video_size ${width}x${height} -framerate ${fps} -i file:${count}.raw`),
    )
    return count++
  }
  const over = async (what: Layer, where: string, treat = '') => {
    const n = await input(what)
    // Each layer is one picture that stays: it is converted, and written on, only once.
    steps.push(`[${n}]${treat}format=yuva420p[l${n}]`, `[${last}][l${n}]overlay=eof_action=repeat:${where}[o${n}]`)
    last = `o${n}`
  }
  const font = await findFont(clip.font)
  const back = (clip.scene === 'street' ? street : room)(place, clip.hue, seed)
  const drift = `x='${(back.width - clip.width) / 2}*(1+sin(t*0.6))':y='${(back.height - clip.height) / 2}*(1+cos(t*0.45))'`
  const base = await input(back)
  const frames = Math.round(clip.seconds * fps)
  steps.push(
    `[${base}]format=yuv420p,loop=loop=${frames}:size=1,setpts=N/${fps}/TB,crop=${clip.width}:${clip.height}:${drift}[base]`,
  )

  const open = voice?.syllables.map(([from, to]) => `between(t,${from},${to})`).join('+')
  for (const standing of clip.people ?? [{ x: 0.5 }]) {
    const own = placeOf(place, standing)
    const person = presenter(own, standing.seed ?? seed)
    const v = own.u
    const { walks } = standing
    const way = walks
      ? `+${((walks.x - standing.x) * clip.width).toFixed(1)}*clip((t-${walks.from})/${walks.to - walks.from},0,1)`
      : ''
    const sway = `${(5 * v).toFixed(1)}*sin(t*1.1)${way}`
    const nod = `${(7 * v).toFixed(1)}*sin(t*2.6)+${(4 * v).toFixed(1)}*sin(t*4.3+1)`
    const at = ({ x, y }: { x: number; y: number }, moves: boolean, more = '') =>
      `x='${x}+${sway}${moves ? `+${(4 * v).toFixed(1)}*sin(t*1.9)` : ''}':y='${y}${moves ? `+${nod}` : ''}'${more}`
    await over(person.back.layer, at(person.back, true))
    await over(person.body.layer, at(person.body, false))
    await over(person.head.layer, at(person.head, true))
    if (open) await over(person.mouth.layer, at(person.mouth, true, `:enable='${open}'`))
    await over(person.lids.layer, at(person.lids, true, ":enable='lt(mod(t+1.3,3.4),0.13)'"))
  }

  if (clip.title && font && !clip.finished) await addTitle(over, place, clip.title, font)
  const end = clip.finished ? clip.seconds - closing : clip.seconds
  if (clip.finished?.captions && font) await addCaptions(over, place, clip.finished.captions, font, end, said)
  if (clip.finished) {
    const name =
      clip.finished.name && font
        ? `${text(clip.finished.name, font, 54 * u, '0x0F1729', `h*0.42+200*${u.toFixed(3)}`)},`
        : ''
    const fade = `fade=t=in:st=0:d=0.01:alpha=1,`
    await over(endCard(place), `enable='gte(t,${end.toFixed(3)})'`, `${name}${name ? '' : fade}`)
  }
  if (voice) {
    await writeFile(join(folder, 'voice.raw'), voice.samples)
    inputs.push(...options(`-f s16le -ar ${voice.rate} -ac 1 -i file:voice.raw`))
  }
  steps.push(`[${last}]setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709,format=yuv420p[v]`)
  return [
    ...inputs,
    ...graphed(steps.join(';'), threads),
    ...options(`-map [v] -t ${clip.seconds} -r ${fps} -c:v libx264 -preset ultrafast -crf 24 -g ${fps}`),
    ...options('-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709'),
    ...(voice ? options(`-map ${count}:a -c:a aac -b:a 96k -ar 48000 -ac 2`) : []),
    ...options('-movflags +faststart -f mp4 -y file:clip.mp4'),
  ]
}

/** Where somebody stands in the room: smaller people are further away, their heads as high as the others'. */
export function placeOf(place: Stage, { x, size = 1 }: DrawnPerson): Stage {
  return { ...place, u: place.u * size, x: place.width * x }
}

type Times = [from: number, to: number][]

type Over = (what: Layer, where: string, treat?: string) => Promise<void>

async function addTitle(over: Over, { width, height, u }: Stage, title: string, font: string): Promise<void> {
  const size = 50 * u
  const lines = wrapped(title, (width - 190 * u) / (size * letter(font))).slice(0, 3)
  const card = titleCard(width - 88 * u, lines.length * size * 1.24 + 62 * u, u)
  const write = lines
    .map((line, i) => text(line, font, size, 'white', `${36 * u + i * size * 1.24}`, `${58 * u}`))
    .join(',')
  await over(card, `x=${even(44 * u)}:y=${even(height - card.height - 150 * u)}:enable='between(t,0,4.2)'`, `${write},`)
}

async function addCaptions(
  over: Over,
  { width, height, u }: Stage,
  captions: readonly string[],
  font: string,
  end: number,
  said?: Times,
) {
  const from = (i: number) => (i > 0 && said?.[i]?.[0]) || (end * i) / captions.length
  const size = 58 * u
  for (const [i, caption] of captions.entries()) {
    const lines = wrapped(caption, (width - 150 * u) / (size * letter(font))).slice(0, 2)
    const wide = Math.min(width - 60 * u, Math.max(...lines.map((line) => line.length)) * size * letter(font) + 90 * u)
    const bar = captionBar(wide, lines.length * size * 1.2 + 44 * u, u)
    const colour = (n: number) => (n === lines.length - 1 ? '0x2647E0' : '0x0F1729')
    const write = lines.map((line, n) => text(line, font, size, colour(n), `${29 * u + n * size * 1.2}`)).join(',')
    const until = i + 1 < captions.length ? from(i + 1) : end
    const when = `between(t,${from(i).toFixed(3)},${(until - 0.001).toFixed(3)})`
    await over(bar, `x=(W-w)/2:y=${even(height * 0.66 - bar.height / 2)}:enable='${when}'`, `${write},`)
  }
}

/** One line of text, in the middle unless a left edge is given. What stands in it may hold anything. */
function text(line: string, font: string, size: number, colour: string, y: string, x = '(w-text_w)/2'): string {
  // Twice escaped: once for the option's value, once for the graph that it stands in.
  const value = line.replace(/[\\':%]/g, (found) => `\\${found}`).replace(/[\\'[\],;]/g, (found) => `\\${found}`)
  const file = font.replace(/[\\':]/g, (found) => `\\${found}`).replace(/[\\'[\],;]/g, (found) => `\\${found}`)
  return `drawtext=fontfile=${file}:expansion=none:text=${value}:fontsize=${size.toFixed(1)}:fontcolor=${colour}:x=${x}:y=${y}`
}

/** How wide a bold letter is on average, as a share of the size. */
function letter(font: string): number {
  return font.includes('DejaVu') ? 0.66 : 0.55
}

function wrapped(words: string, letters: number): string[] {
  const lines: string[] = []
  for (const word of words.replace(/\s+/g, ' ').trim().split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= letters) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

const usualFonts = [
  '/usr/share/fonts/truetype/inter/Inter-Bold.ttf',
  '/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf',
  '/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf',
  '/usr/share/fonts/truetype/freefont/FreeSansBold.ttf',
]

let drawsText: Promise<boolean> | undefined

async function findFont(wanted: string | undefined): Promise<string | undefined> {
  drawsText ??= ffmpegPath().then(async () => {
    const ran = await runFfmpeg({ args: ['-h', 'filter=drawtext'] })
    return ran.ok && ran.stdout.includes('fontfile')
  })
  if (!(await drawsText)) return undefined
  for (const path of wanted ? [wanted] : usualFonts) if (await readable(path)) return path
  return undefined
}

async function readable(path: string): Promise<boolean> {
  return await access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
}
