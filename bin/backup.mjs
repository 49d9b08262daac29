// npm run backup, npm run verify, npm run restore: on a bare clone, too, which is where a restore often begins.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringNode, environmentWith } from './node.mjs'
import { bringPackages } from './packages.mjs'
import { forwardSignals, giveUp, openly } from './run.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

forwardSignals()
try {
  await bringPackages(root)
  const nodeDirectory = await bringNode(root, { lasting: false })
  const commands = join(root, 'server', 'src', 'main', 'backup.ts')
  const env = environmentWith(nodeDirectory)
  process.exitCode = await openly(join(nodeDirectory, 'node'), [commands, ...process.argv.slice(2)], { env, cwd: root })
} catch (error) {
  giveUp(error)
}
