// npm run prove -- <name>: the long run of a proof whose short run belongs to npm test. PROVE_SEED=… repeats a run.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringNode, environmentWith } from './node.mjs'
import { bringPackages } from './packages.mjs'
import { forwardSignals, giveUp, openly, Told } from './run.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name = ''] = process.argv.slice(2)
const file = proofs().get(name)

forwardSignals()
try {
  if (!file) throw new Told(`Which proof? npm run prove -- ${[...proofs().keys()].sort().join(' | ')}`)
  await bringPackages(root)
  const nodeDirectory = await bringNode(root, { lasting: false })
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const env = { ...environmentWith(nodeDirectory), PROVE: 'long' }
  process.exitCode = await openly(join(nodeDirectory, 'node'), [vitest, 'run', '--project', projectOf(file), file], {
    cwd: root,
    env,
  })
} catch (error) {
  giveUp(error)
}

/** Pure rules need no database. */
function projectOf(path) {
  return path.startsWith('domain') ? 'pure' : 'server'
}

/** Where each test lies that has a long form, by its name. */
function proofs() {
  const files = ['domain', 'server'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true }).map((path) => join(room, path)),
  )
  const long = files.filter(
    (path) => path.endsWith('.test.ts') && /\bisLong\b/.test(readFileSync(join(root, path), 'utf8')),
  )
  return new Map(long.map((path) => [basename(path, '.test.ts'), path]))
}
