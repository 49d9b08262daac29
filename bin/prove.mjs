// npm run prove -- <name>: the long run of a proof whose short run belongs to npm test. PROVE_SEED=… repeats a run.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringNode, environmentWith } from './node.mjs'
import { bringPackages } from './packages.mjs'
import { forwardSignals, giveUp, openly, Told } from './run.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name = ''] = process.argv.slice(2)
const file = join('server', 'test', `${name}.test.ts`)

forwardSignals()
try {
  if (!existsSync(join(root, file))) throw new Told(`Which proof? npm run prove -- ${proofs().join(' | ')}`)
  await bringPackages(root)
  const nodeDirectory = await bringNode(root, { lasting: false })
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const env = { ...environmentWith(nodeDirectory), PROVE: 'long' }
  process.exitCode = await openly(join(nodeDirectory, 'node'), [vitest, 'run', '--project', 'server', file], {
    cwd: root,
    env,
  })
} catch (error) {
  giveUp(error)
}

function proofs() {
  const files = readdirSync(join(root, 'server', 'test'))
  return files.filter((path) => path.endsWith('.test.ts')).map((path) => path.slice(0, -'.test.ts'.length))
}
