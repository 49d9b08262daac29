// npm start: the whole product, from a bare clone. Runs on Node 20 with nothing installed.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringNode, environmentWith } from './node.mjs'
import { bringPackages } from './packages.mjs'
import { bringFfmpeg, bringPocketsphinx } from './programs.mjs'
import { forwardSignals, giveUp, keepRunning, openly, signalled } from './run.mjs'
import { buildWeb } from './web.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

forwardSignals()
try {
  await bringPackages(root)
  const nodeDirectory = await bringNode(root, { lasting: false })
  const env = environmentWith(nodeDirectory)
  await bringFfmpeg(root)
  await bringPocketsphinx(root)
  await buildWeb(root, { env, nodeDirectory })
  const start = join(root, 'server', 'src', 'main', 'start.ts')
  const node = join(nodeDirectory, 'node')
  const code = await keepRunning(() => openly(node, [start], { env, cwd: root, withChannel: true }))
  // Told to stop and stopped in order: no failure, which npm would report at length.
  process.exit(signalled() && code !== 1 ? 0 : code)
} catch (error) {
  giveUp(error)
}
