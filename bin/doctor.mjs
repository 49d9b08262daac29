// npm run doctor: is this service fit for others? Says each condition and the next step. Installs and changes nothing.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentWith, findNode } from './node.mjs'
import { forwardSignals, giveUp, openly, Told } from './run.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

forwardSignals()
try {
  const nodeDirectory = await findNode(root, { lasting: false })
  if (!nodeDirectory || !existsSync(join(root, 'node_modules', 'fastify')))
    throw new Told('The packages are not installed yet: run npm start once, which installs them, and ask again.')
  const doctor = join(root, 'server', 'src', 'main', 'doctor.ts')
  process.exitCode = await openly(join(nodeDirectory, 'node'), [doctor], {
    env: environmentWith(nodeDirectory),
    cwd: root,
  })
} catch (error) {
  giveUp(error)
}
