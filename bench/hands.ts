// npm run bench:hands: twenty corrections on a take that nobody has seen, made on the real bench in a real browser by keyboard
// alone: presses, the time of hands by the keystroke-level model, and the page's own; beside the same list in two other kinds
// of program, counted from their documented gestures.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Done } from '../e2e/hands.ts'
import { Klm } from '../e2e/keystroke-level.ts'
import { others } from './hands-others.ts'
import { buildPanel } from './panel.ts'

const { values: flags } = parseArgs({
  options: {
    /** Chooses the take: names, places, numbers and pauses. Without it, one by chance. */
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
  },
})
const root = resolve(import.meta.dirname, '..')
await buildPanel()
const folder = mkdtempSync(join(tmpdir(), 'bench-hands-'))
try {
  const report = join(folder, 'report')
  const journey = 'test -c e2e/playwright.config.ts by-keyboard.e2e --project desktop --workers 1 --reporter dot'.split(
    ' ',
  )
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/.bin/playwright'), ...journey], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, HANDS_REPORT: report, HANDS_SEED: flags.seed },
  })
  if (status !== 0) throw new Error('The corrections were not made.')
  show(
    readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line),
  )
} finally {
  rmSync(folder, { recursive: true })
}

type Line = Done & { n: number; what: string }
type Sum = { presses: number; seconds: number }

function show(lines: readonly Line[]): void {
  console.log(`\nTake ${flags.seed}; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`)
  console.log('| correction | here: presses, hands | the page | transcript editor | timeline editor |')
  console.log('|---|---|---|---|---|')
  const sums: [Sum, Sum, Sum] = [nothing(), nothing(), nothing()]
  let pageMs = 0
  for (const line of lines) {
    const { transcript, timeline } = others[line.n - 1]!
    const all = [line, counted(transcript), counted(timeline)] as const
    all.forEach((one, i) => add(sums[i]!, one))
    pageMs += line.pageMs
    const [ours, second, third] = all.map(written)
    console.log(`| ${line.what} | ${ours} | ${Math.round(line.pageMs)} ms | ${second} | ${third} |`)
  }
  const [ours, second, third] = sums.map(written)
  console.log(`| **all twenty** | **${ours}** | ${(pageMs / 1000).toFixed(1)} s | **${second}** | **${third}** |`)
}

/** Presses: of keys, of those held with them, and of the mouse's button; a drag is two. */
function counted(operators: string): Sum {
  const list = Klm.read(operators)
  return { presses: list.filter((one) => one === 'K').length, seconds: Klm.seconds(list) }
}

function add(sum: Sum, { presses, seconds }: Sum): void {
  sum.presses += presses
  sum.seconds += seconds
}

function nothing(): Sum {
  return { presses: 0, seconds: 0 }
}

function written({ presses, seconds }: Sum): string {
  return `${presses}, ${seconds.toFixed(1)} s`
}
