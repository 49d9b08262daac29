// What tests and journeys need beside the code, brought where it is missing.
import { bringNode, environmentWith } from './node.mjs'
import { bringPackages } from './packages.mjs'
import { bringChromium, bringChromiumShell, bringFfmpeg, bringPocketsphinx } from './programs.mjs'

const ofTheProduct = ['PORT', 'HOST', 'PUBLIC_URL', 'DATA_DIR', 'DATABASE_URL', 'DATABASE_APP_URL', 'SEED', 'NODE_ENV']

/** Brings packages, Node, the media's programs and the browsers; answers where Node lies, and the environment of each child. */
export async function prepare(root) {
  await bringPackages(root)
  const nodeDirectory = await bringNode(root, { lasting: false })
  await bringFfmpeg(root)
  await bringPocketsphinx(root)
  const chromium = await bringChromium()
  const env = {
    ...environmentWith(nodeDirectory),
    CHROMIUM_PATH: chromium,
    CHROMIUM_SHELL_PATH: await bringChromiumShell(root, chromium),
  }
  // The tests bring their own server and database, and say themselves what is production.
  for (const name of ofTheProduct) delete env[name]
  return { nodeDirectory, env }
}
