// npm run bench:render: what a render costs beside a plain transcode of the same length with the same encoder, in turns.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import type { Material } from '@clear-to-post/media/chunks'
import { plan, run } from '@clear-to-post/media/render'
import { sandboxKind } from '@clear-to-post/media/sandbox'
import { painting } from '../server/src/edits/painting.ts'
import { measured, median, type Cost } from './cost.ts'
import { remotion } from './remotion.ts'
import { changedWord, drawLogo, fromKit, ownClip, standardJob, transcode, type Take } from './standard-job.ts'

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

const folder = await mkdtemp(join(tmpdir(), 'bench-render-'))
try {
  const take = flags.footage
    ? await fromKit(flags.footage, { folder, phone: flags.phone })
    : await ownClip({ folder, seconds: Math.min(60, Number(flags.seconds)) })
  const logo = await drawLogo(folder)
  const recipe = standardJob(take, { seconds: Number(flags.seconds) })
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
      async () => costs.plain.push(await measured(() => transcode(take, seconds, folder))),
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
