// npm run bench:render: what a render costs beside a plain transcode of the same length with the same encoder, in turns.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { wholeRecipe, type Recipe } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { bitmapOf } from '@clear-to-post/media/bitmap'
import type { Material } from '@clear-to-post/media/chunks'
import { pictureEncoder, soundEncoder } from '@clear-to-post/media/encoder'
import { runFfmpeg } from '@clear-to-post/media/ffmpeg'
import { makeClip } from '@clear-to-post/media/make-clip'
import { probe, type Probe } from '@clear-to-post/media/probe'
import { plan, run } from '@clear-to-post/media/render'
import { sandboxKind } from '@clear-to-post/media/sandbox'
import { painting } from '../server/src/edits/painting.ts'
import { canvasTools } from '../server/src/outside/canvas.ts'
import { measured, median, type Cost } from './cost.ts'
import { remotion } from './remotion.ts'

const { values: flags } = parseArgs({
  options: {
    /** The footage kit's folder, with officer-phone.mov and truth.json. Without it the bench draws a clip of its own. */
    footage: { type: 'string' },
    /** Films the kit anew with a key frame every second, as phones do; its own lie nine seconds apart. */
    phone: { type: 'boolean', default: false },
    /** Only so much of the source, in seconds. */
    seconds: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '3' },
    /** Renders the same with Remotion too, fetched into a temporary folder; use --seconds, it takes its time. */
    remotion: { type: 'boolean', default: false },
    /** Keeps the videos here. */
    keep: { type: 'string' },
  },
})

type Take = { file: string; probe: Probe; words: { text: string; start: number; end: number; kind: string }[] }

const folder = await mkdtemp(join(tmpdir(), 'bench-render-'))
try {
  const take = flags.footage ? await fromKit(flags.footage) : await ownClip()
  const logo = await drawLogo()
  const recipe = standardJob(take)
  const { frames, pieces } = timelineOf(recipe)
  const seconds = frames / 30
  const size = take.probe.video
  console.log(
    `${flags.footage ? `The footage kit${flags.phone ? ', a key frame every second' : ''}` : 'A clip of its own'}: ${size?.width} × ${size?.height}, ` +
      `${pieces.length} passages, ${seconds.toFixed(1)} s finished; sandbox: ${await sandboxKind()}; ` +
      `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  )
  const rounds = Array.from({ length: Number(flags.rounds) }, (_, i) => i)
  const costs: Record<'plain' | 'ours' | 'changed', Cost[]> = { plain: [], ours: [], changed: [] }
  let made = 0
  let remade = 0
  for (const round of rounds) {
    const cacheDir = join(folder, `cache-${round}`)
    const turns = [
      async () => costs.plain.push(await measured(() => transcode(take, seconds))),
      async () => {
        costs.ours.push(await measured(async () => (made = (await render(recipe, cacheDir, `ours-${round}`)).made)))
        const other = changedWord(recipe)
        costs.changed.push(
          await measured(async () => (remade = (await render(other, cacheDir, `changed-${round}`)).made)),
        )
      },
    ]
    for (const turn of round % 2 ? turns.toReversed() : turns) await turn()
    await rm(cacheDir, { recursive: true })
    console.log(
      `round ${round + 1}: ${JSON.stringify({ plain: costs.plain[round], ours: costs.ours[round], changed: costs.changed[round] })}`,
    )
  }
  report(costs, seconds, made, remade)
  if (flags.remotion) await beside(recipe, take)

  /** Remotion and ours in turns, each from nothing. */
  async function beside(what: Recipe, { file }: Take) {
    const other = await remotion(folder)
    const both: Record<'remotion' | 'ours', Cost[]> = { remotion: [], ours: [] }
    for (const round of rounds) {
      both.remotion.push(await measured(() => other(what, file, join(flags.keep ?? folder, `remotion-${round}.mp4`))))
      const cacheDir = join(folder, `beside-${round}`)
      both.ours.push(await measured(() => render(what, cacheDir, `beside-ours-${round}`)))
    }
    const of = (name: keyof typeof both, key: keyof Cost) => median(both[name].map((cost) => cost[key]))
    const row = (name: keyof typeof both) =>
      console.log(
        `| ${name} | ${of(name, 'wall').toFixed(1)} s | ${of(name, 'cpu').toFixed(1)} s | ${of(name, 'children').toFixed(0)} MB |`,
      )
    console.log('\n| the same video | wall | core-seconds | peak memory |\n|---|---|---|---|')
    row('remotion')
    row('ours')
    console.log(
      `Remotion takes ${(of('remotion', 'wall') / of('ours', 'wall')).toFixed(1)} × the time and ` +
        `${(of('remotion', 'children') / of('ours', 'children')).toFixed(1)} × the memory.`,
    )
  }

  async function render(what: Recipe, cacheDir: string, name: string) {
    const outDir = flags.keep ? join(flags.keep, name) : join(folder, name)
    await mkdir(outDir, { recursive: true })
    const materials = new Map<string, Material>([
      ['take', { hash: take.file, probe: take.probe }],
      ['logo', { hash: logo.hash, probe: logo.probe }],
    ])
    const { painted, paint } = await painting(what, logo.bitmap)
    const files = new Map([
      ['take', take.file],
      ['logo', logo.file],
    ])
    const answer = await run(plan(what, { materials, painted }), { files, cacheDir, outDir, paint })
    if (!answer.ok) throw new Error(answer.reason)
    if (Math.abs(answer.loudness.integrated + 14) > 1) throw new Error(`${answer.loudness.integrated} LUFS`)
    if (!flags.keep) await rm(outDir, { recursive: true })
    return answer
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function fromKit(kit: string): Promise<Take> {
  const original = join(kit, 'officer-phone.mov')
  const file = flags.phone ? await filmedAnew(original) : original
  const { words }: Pick<Take, 'words'> = JSON.parse(await readFile(join(kit, 'truth.json'), 'utf8'))
  return { file, probe: await seen(file), words }
}

async function filmedAnew(original: string): Promise<string> {
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
async function ownClip(): Promise<Take> {
  const file = join(folder, 'take.mp4')
  const seconds = Math.min(60, Number(flags.seconds))
  await makeClip({ out: file, seconds, width: 1080, height: 1920, hue: 210 })
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

async function drawLogo() {
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
function standardJob({ probe: found, words }: Take): Recipe {
  const durationMs = Math.min(found.durationMs, Number(flags.seconds) * 1000)
  const size = { width: found.video?.width ?? 0, height: found.video?.height ?? 0 }
  const source = {
    id: 's',
    assetId: 'take',
    name: 'take',
    durationMs,
    ...size,
    fps: { num: 30, den: 1 },
    hasSound: true,
  }
  const brand = {
    primary: '#2647e0',
    secondary: '#ff5a3c',
    logo: 'logo',
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
    layers: [{ id: 'logo', kind: 'logo', assetId: 'logo', place: 'top-right', size: 0.18, span: null, on: true }],
    close: { on: true, lengthMs: 3000, title: 'Ready when you are', call: 'Message me today' },
  }
}

/** One word past the middle gets another letter. */
function changedWord(recipe: Recipe): Recipe {
  const middle = Math.floor(recipe.words.length * 0.6)
  return { ...recipe, words: recipe.words.map((word, i) => (i === middle ? { ...word, text: `${word.text}s` } : word)) }
}

/** What any program would do at least: the same length, decoded and encoded. In the same sandbox, at the same priority. */
async function transcode({ file, probe: found }: Take, seconds: number): Promise<void> {
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

function report(
  costs: Record<'plain' | 'ours' | 'changed', Cost[]>,
  seconds: number,
  made: number,
  remade: number,
): void {
  const of = (name: keyof typeof costs, what: keyof Cost) => median(costs[name].map((cost) => cost[what]))
  const share = (name: 'ours' | 'changed', to: 'plain' | 'ours', what: 'wall' | 'cpu') =>
    median(costs[name].map((cost, i) => cost[what] / (costs[to][i]?.[what] ?? NaN))).toFixed(2)
  const minute = (name: keyof typeof costs) => ((of(name, 'cpu') / seconds) * 60).toFixed(0)
  const row = (name: keyof typeof costs, title: string, rest: string) =>
    console.log(
      `| ${title} | ${of(name, 'wall').toFixed(1)} s | ${of(name, 'cpu').toFixed(1)} s | ${minute(name)} s | ${of(name, 'children').toFixed(0)} MB | ${rest} |`,
    )
  console.log(`\n| ${seconds.toFixed(0)} s of video | wall | core-seconds | a finished minute | peak memory | beside |`)
  console.log('|---|---|---|---|---|---|')
  row('plain', 'plain transcode', '1')
  row(
    'ours',
    `render (${made} chunks)`,
    `wall × ${share('ours', 'plain', 'wall')}, work × ${share('ours', 'plain', 'cpu')} of plain`,
  )
  row(
    'changed',
    `a changed word (${remade} chunk)`,
    `wall × ${share('changed', 'ours', 'wall')}, work × ${share('changed', 'ours', 'cpu')} of the render`,
  )
  console.log(
    `Peak memory of ffmpeg and its sandbox; this process beside it: ${of('ours', 'self').toFixed(0)} MB. Medians of ${costs.ours.length} rounds.`,
  )
}
