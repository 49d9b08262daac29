// npm run prove -- <name>: the long run of a proof whose short run belongs to npm test. PROVE_SEED=… repeats a run;
// what follows the name goes to the proof (`-t room` to Vitest).
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringNode, environmentWith } from './node.mjs'
import { bringPackages } from './packages.mjs'
import { proofs } from './proofs.mjs'
import { forwardSignals, giveUp, openly, Told } from './run.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name = '', ...more] = process.argv.slice(2)
const { file, project } = proofs().find((one) => one.name === name) ?? {}

forwardSignals()
try {
  if (!file)
    throw new Told(
      `Which proof? npm run prove -- ${proofs()
        .map((one) => one.name)
        .sort()
        .join(' | ')}`,
    )
  await bringPackages(root)
  const nodeDirectory = await bringNode(root, { lasting: false })
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const env = { ...environmentWith(nodeDirectory), PROVE: 'long' }
  const args = project ? [vitest, 'run', '--project', project, file, ...more] : [file, ...more]
  process.exitCode = await openly(join(nodeDirectory, 'node'), args, { cwd: root, env })
} catch (error) {
  giveUp(error)
}
