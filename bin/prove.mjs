// npm run prove -- <name>: the long run of a proof whose short run belongs to npm test. PROVE_SEED=… repeats a run;
// what follows the name goes to the proof (`-t room` to Vitest).
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { walkOf } from './journeys.mjs'
import { bringNode, environmentWith } from './node.mjs'
import { bringPackages } from './packages.mjs'
import { prepare } from './prepare.mjs'
import { proofs } from './proofs.mjs'
import { forwardSignals, giveUp, openly, Told } from './run.mjs'
import { buildWeb } from './web.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name = '', ...more] = process.argv.slice(2)
const { file, project, journey, tests } = proofs().find((one) => one.name === name) ?? {}

forwardSignals()
try {
  if (!file && !journey && !tests)
    throw new Told(
      `Which proof? npm run prove -- ${proofs()
        .map((one) => one.name)
        .sort()
        .join(' | ')}`,
    )
  process.exitCode = journey ? await walk(journey) : tests ? await rest(tests) : await run()
} catch (error) {
  giveUp(error)
}

/** A test in its long form, or a program. */
async function run() {
  await bringPackages(root)
  const nodeDirectory = await bringNode(root, { lasting: false })
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const env = { ...environmentWith(nodeDirectory), PROVE: 'long' }
  const args = project ? [vitest, 'run', '--project', project, file, ...more] : [file, ...more]
  return openly(join(nodeDirectory, 'node'), args, { cwd: root, env })
}

/** The tests that npm test leaves out, as they would be run there. */
async function rest(tests) {
  const { nodeDirectory, env } = await prepare(root)
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const place = { cwd: root, env: { ...env, TESTS: tests } }
  return openly(join(nodeDirectory, 'node'), [vitest, 'run', `--tags-filter=${tests}`, '--retry=1', ...more], place)
}

async function walk(journey) {
  const { nodeDirectory, env } = await prepare(root)
  await buildWeb(root, { env, nodeDirectory })
  const playwright = join(root, 'node_modules', '.bin', 'playwright')
  const walked = walkOf(journey)
  const place = { cwd: root, env: { ...env, ...walked.env } }
  return openly(join(nodeDirectory, 'node'), [playwright, ...walked.args, ...more], place)
}
