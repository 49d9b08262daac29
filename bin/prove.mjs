// npm run prove -- <name>: the long run of a proof whose short run belongs to npm test. PROVE_SEED=… repeats a run;
// what follows the name goes to the proof (`-t room` to Vitest).
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringNode, environmentWith } from './node.mjs'
import { bringPackages } from './packages.mjs'
import { forwardSignals, giveUp, openly, Told } from './run.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name = '', ...more] = process.argv.slice(2)
const file = proofs().get(name)

forwardSignals()
try {
  if (!file) throw new Told(`Which proof? npm run prove -- ${[...proofs().keys()].sort().join(' | ')}`)
  await bringPackages(root)
  const nodeDirectory = await bringNode(root, { lasting: false })
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const env = { ...environmentWith(nodeDirectory), PROVE: 'long' }
  const args = file.endsWith('.test.ts')
    ? [vitest, 'run', '--project', projectOf(file), file, ...more]
    : [file, ...more]
  process.exitCode = await openly(join(nodeDirectory, 'node'), args, { cwd: root, env })
} catch (error) {
  giveUp(error)
}

/** Pure rules need no database; of the editing rules only what has a process of its own is long, beside the media. */
function projectOf(path) {
  return { domain: 'pure', edit: 'media', media: 'media' }[path.split('/')[0]] ?? 'server*'
}

/** Where each proof lies, by its name: the tests that have a long form, and the programs of bin/proofs. */
function proofs() {
  const files = ['domain', 'edit', 'media', 'server'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true }).map((path) => join(room, path)),
  )
  const long = files.filter(
    (path) => path.endsWith('.test.ts') && /\bisLong\b/.test(readFileSync(join(root, path), 'utf8')),
  )
  const programs = readdirSync(join(root, 'bin', 'proofs')).filter((name) => name.endsWith('.ts'))
  return new Map([
    // The server has files of the same names.
    ...long.map((path) => [(path.startsWith('media') ? 'media-' : '') + basename(path, '.test.ts'), path]),
    ...programs.map((name) => [basename(name, '.ts'), join('bin', 'proofs', name)]),
  ])
}
