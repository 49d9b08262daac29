import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wholeRecipe, type Recipe } from '@clear-to-post/edit/recipe'
import { bitmapOf } from '@clear-to-post/media/bitmap'
import { pictureEncoder, soundEncoder } from '@clear-to-post/media/encoder'
import { runFfmpeg } from '@clear-to-post/media/ffmpeg'
import { makeClip } from '@clear-to-post/media/make-clip'
import { probe, type Probe } from '@clear-to-post/media/probe'
import { canvasTools } from '../server/src/outside/canvas.ts'

/** A recording, and what is said in it: seconds. */
export type Take = {
  file: string
  probe: Probe
  words: { text: string; start: number; end: number; kind: string }[]
}

/** The take of the footage kit; with `phone` it is filmed anew with a key frame every second, into `folder`. */
export async function fromKit(kit: string, { folder, phone }: { folder: string; phone: boolean }): Promise<Take> {
  const original = join(kit, 'officer-phone.mov')
  const file = phone ? await filmedAnew(original, folder) : original
  const { words }: Pick<Take, 'words'> = JSON.parse(await readFile(join(kit, 'truth.json'), 'utf8'))
  return { file, probe: await seen(file), words }
}

async function filmedAnew(original: string, folder: string): Promise<string> {
  const args = '-c:v libx264 -preset veryfast -crf 17 -g 30 -bf 0 -c:a copy -fps_mode passthrough -y take.mov'.split(
    ' ',
  )
  const limits = { cpuSeconds: 7200, wallMs: 7_200_000 }
  const ran = await runFfmpeg({
    args: ['-noautorotate', '-i', original, ...args],
    reads: [original],
    outDir: folder,
    limits,
  })
  if (!ran.ok) throw new Error(ran.stderr)
  return join(folder, 'take.mov')
}

/** The product's own sample clip, with words at even times: as good for measuring work, not for looking at. */
export async function ownClip({ folder, seconds }: { folder: string; seconds: number }): Promise<Take> {
  const [once, file] = [join(folder, 'once.mp4'), join(folder, 'take.mp4')]
  // ffmpeg cannot read the mouth's movements of a whole minute at once.
  const times = Math.ceil(seconds / 20)
  await makeClip({ out: once, seconds: seconds / times, width: 1080, height: 1920, hue: 210 })
  const args = ['-stream_loop', `${times - 1}`, '-i', once, ...'-c copy -y take.mp4'.split(' ')]
  const ran = await runFfmpeg({ args, reads: [once], outDir: folder })
  if (!ran.ok) throw new Error(ran.stderr)
  const text =
    'On a four hundred thousand dollar loan that could save you about one hundred dollars every month.'.split(' ')
  const count = Math.floor((seconds - 1) / 0.35)
  const words = Array.from({ length: count }, (_, i) => {
    // A pause after every sentence.
    const start = 0.5 + i * 0.3 + Math.floor(i / text.length) * 0.9
    return { text: text[i % text.length] ?? '', start, end: start + 0.28, kind: 'script' }
  })
  return { file, probe: await seen(file), words: words.filter(({ end }) => end < seconds - 0.3) }
}

async function seen(file: string): Promise<Probe> {
  const found = await probe(file)
  if (!found.ok) throw new Error(`${file}: ${found.reason}`)
  return found
}

/** A logo as a file of `folder`, and as it is painted. */
export async function drawLogo(folder: string) {
  const { canvas } = await canvasTools()
  const { canvas: board, context } = canvas(400, 160)
  context.fillStyle = '#ffffff'
  context.roundRect(0, 0, 400, 160, 40)
  context.fill()
  context.fillStyle = '#2647e0'
  context.fillRect(40, 40, 320, 80)
  const bytes = await board.encode('png')
  const file = join(folder, 'logo.png')
  await writeFile(file, bytes)
  const found = await seen(file)
  const bitmap = await bitmapOf(file, found, { width: 800, height: 800 })
  return { file, hash: createHash('sha256').update(bytes).digest('hex'), probe: found, bitmap }
}

/** Passages without their dead air, fillers and false starts; two punch-ins, a push, a crossfade, logo, card, −14 LUFS. */
export function standardJob(
  { probe: found, words }: Take,
  { seconds = Infinity, takeId = 'take', logoId = 'logo' }: { seconds?: number; takeId?: string; logoId?: string } = {},
): Recipe {
  const durationMs = Math.min(found.durationMs, seconds * 1000)
  const size = { width: found.video?.width ?? 0, height: found.video?.height ?? 0 }
  const source = {
    id: 's',
    assetId: takeId,
    name: 'take',
    durationMs,
    ...size,
    fps: { num: 30, den: 1 },
    hasSound: true,
  }
  const brand = {
    primary: '#2647e0',
    secondary: '#ff5a3c',
    logo: logoId,
    name: 'Dana Reyes',
    line: 'Senior Loan Officer, Harbor Home Loans',
    legal: 'NMLS #123456 · Equal Housing Lender',
  }
  const recipe = wholeRecipe([source], brand, 3)
  const said = words
    .filter(({ kind, end }) => (kind === 'script' || kind === 'offscript') && end * 1000 < durationMs)
    // The kit's truth has no full stops: a breath ends a sentence.
    .map((word, i, all) => ({ ...word, text: (all[i + 1]?.start ?? 0) - word.end > 0.2 ? `${word.text}.` : word.text }))
  const keep: Recipe['keep'] = []
  for (const { start, end } of said) {
    const [from, to] = [Math.max(0, Math.round(start * 1000) - 150), Math.min(durationMs, Math.round(end * 1000) + 250)]
    const last = keep.at(-1)
    if (last && from - last.end < 200) last.end = to
    else keep.push({ id: `k${keep.length}`, source: 's', start: from, end: to })
  }
  const passage = (n: number) => keep[Math.min(n, keep.length - 1)] ?? { start: 0, end: durationMs }
  const decided = { source: 's', focus: null, by: 'rule' as const, why: 'standard job', on: true }
  const at = (n: number, length: number) => {
    const { start, end } = passage(n)
    return { start: start + 300, end: Math.min(end, start + 300 + length) }
  }
  const joined = passage(Math.floor(keep.length / 2))
  return {
    ...recipe,
    keep,
    words: said.map(({ text, start, end }, i) => {
      const times = { start: Math.round(start * 1000), end: Math.round(end * 1000) }
      return { id: `w${i}`, source: 's', text, ...times, confidence: 1, origin: 'script' }
    }),
    moves: [
      { id: 'm1', kind: 'punch-in', scale: 1.15, ...decided, ...at(1, 3000) },
      { id: 'm2', kind: 'punch-in', scale: 1.15, ...decided, ...at(4, 3000) },
      { id: 'm3', kind: 'push', scale: 1.08, ...decided, ...at(2, 4000) },
    ],
    joints: [{ id: 'j1', source: 's', at: joined.end, kind: 'crossfade', lengthMs: 400 }],
    layers: [{ id: 'logo', kind: 'logo', assetId: logoId, place: 'top-right', size: 0.18, span: null, on: true }],
    close: { on: true, lengthMs: 3000, title: 'Ready when you are', call: 'Message me today' },
  }
}

/** One word gets another letter: past the middle, or at this share of the words. */
export function changedWord(recipe: Recipe, at = 0.6): Recipe {
  const middle = Math.floor(recipe.words.length * at)
  return { ...recipe, words: recipe.words.map((word, i) => (i === middle ? { ...word, text: `${word.text}s` } : word)) }
}

/** What any program would do at least: the same length, decoded and encoded. In the same sandbox, at the same priority. */
export async function transcode({ file, probe: found }: Take, seconds: number, folder: string): Promise<void> {
  const ran = await runFfmpeg({
    args: [
      '-i',
      file,
      ...`-t ${seconds.toFixed(3)} -vf fps=30 -map 0:${found.video?.stream} -map 0:${found.audio?.stream}`.split(' '),
      ...pictureEncoder('final', { num: 30, den: 1 }),
      ...soundEncoder,
      ...'-movflags +faststart -y plain.mp4'.split(' '),
    ],
    reads: [file],
    outDir: folder,
    limits: { cpuSeconds: 7200, wallMs: 7_200_000 },
  })
  if (!ran.ok || (await stat(join(folder, 'plain.mp4'))).size === 0) throw new Error(ran.stderr)
}
