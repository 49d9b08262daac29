// npm run prove -- last-release: the oldest release that may run on this schema (OLDER=commit for another) walks its own
// journeys on it, in its own panel, after this release has been there: as it is when a release goes back. What follows the
// name goes to Playwright. About ten minutes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { startProduct } from '../../e2e/product.ts'
import { bringOlderCode } from '../../server/test/older-release.ts'
import { readMigrations } from '../../server/src/postgres/migrate.ts'
import { prepare } from '../prepare.mjs'
import { buildWeb } from '../web.mjs'

/** Which of its journeys, by their files: signing in, a video's whole way with its uploads, comments, posts and the workbench. */
const walked = ['sign-in', 'the-chain', 'panel', 'publishing', 'workbench']

type Suite = { title: string; suites?: Suite[]; specs?: { title: string; tests: { status: string }[] }[] }

const root = resolve(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-last-release-'))
let stop = () => {}
process.once('exit', () => stop())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

const {
  nodeDirectory,
  env: { PROVE: _, ...prepared },
} = await prepare(root)
// A product of one's own is no concern of these, and each journey is as long as `journeys` walks it.
for (const name of Object.keys(process.env)) if (!(name in prepared)) delete process.env[name]
// Its packages are those of this release; its programs are found there.
const env = { ...prepared, PATH: [join(root, 'node_modules/.bin'), prepared.PATH].join(delimiter), JOURNEYS: 'all' }
const older = await bringOlderCode(join(folder, 'older'))
try {
  process.exitCode = older ? await prove(older) : none('the repository has no history here')
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function prove(release: { root: string; commit: string }): Promise<number> {
  const name = release.commit.slice(0, 8)
  const known = new Set((await readMigrations(join(release.root, 'server/migrations'))).map((one) => one.name))
  const newer = (await readMigrations()).filter((one) => !known.has(one.name))
  if (newer.length === 0) return none(`${name} has every migration of this release`)
  console.log(
    `The release ${name}, and ${newer.length} migrations after it, ${newer[0]!.name} to ${newer.at(-1)!.name}`,
  )

  await buildWeb(release.root, { env, nodeDirectory })
  const [own, ahead] = [join(folder, 'own'), join(folder, 'ahead')]
  console.log('→ It makes its demo')
  await run(release.root, process.execPath, [join(release.root, 'e2e/make-demo.ts'), own])
  await run(root, 'cp', ['-a', own, ahead])
  console.log('→ This release migrates it, runs, and stops')
  const product = await startProduct(ahead, { seed: 'none' })
  await product.stop()

  console.log('→ The older one walks its journeys there')
  const files = walked.filter((file) => existsSync(join(release.root, `e2e/${file}.e2e.ts`)))
  const journeys = await walk(release.root, ahead, [
    ...files.map((file) => `e2e/${file}\\.e2e\\.ts`),
    ...process.argv.slice(2),
  ])
  const failed = journeys.filter((one) => !one.passed).map((one) => one.title)
  if (failed.length > 0) console.log('→ Those that failed, on its own schema')
  const alone = failed.length > 0 ? await walk(release.root, own, ['--last-failed']) : []
  const passes = new Set(alone.filter((one) => one.passed).map((one) => one.title))

  const passed = journeys.length - failed.length
  console.log(
    `last-release: ${name} on the schema ${newer.at(-1)!.name.slice(0, 4)}: ${passed} of ${journeys.length} journeys passed`,
  )
  for (const { title, passed } of journeys)
    console.log(`  ${passed ? '✓' : passes.has(title) ? '✗' : '? (fails on its own schema, too)'} ${title}`)
  return passed > 0 && passes.size === 0 ? 0 : 1
}

/** Walks these journeys at the desktop, on copies of this data folder; answers those that were not skipped. */
async function walk(at: string, demo: string, which: string[]): Promise<{ title: string; passed: boolean }[]> {
  const report = join(folder, 'journeys.json')
  await rm(report, { force: true })
  const playwright = join(root, 'node_modules/@playwright/test/cli.js')
  const args = [
    playwright,
    'test',
    '-c',
    'e2e/playwright.config.ts',
    '--project=desktop',
    '--reporter=list,json',
    ...which,
  ]
  await run(at, process.execPath, args, { JOURNEY_DEMO: demo, PLAYWRIGHT_JSON_OUTPUT_NAME: report }).catch(() => {})
  const { suites, errors } = JSON.parse(await readFile(report, 'utf8')) as { suites: Suite[]; errors: unknown[] }
  const journeys = suites.flatMap(journeysOf)
  if (journeys.length === 0) throw new Error(`No journey was walked: ${JSON.stringify(errors)}`)
  return journeys
}

function journeysOf({ title, suites = [], specs = [] }: Suite): { title: string; passed: boolean }[] {
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status !== 'skipped')
      .map(({ status }) => ({ title: `${title}: ${spec.title}`, passed: status === 'expected' })),
  )
  return [...own, ...suites.flatMap(journeysOf)]
}

async function run(cwd: string, file: string, args: string[], more: Record<string, string> = {}): Promise<void> {
  const child = spawn(file, args, { cwd, env: { ...env, ...more }, stdio: 'inherit' })
  stop = () => child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  stop = () => {}
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}`)
}

function none(why: string): number {
  console.log(`last-release: nothing to prove: ${why}`)
  return 1
}
