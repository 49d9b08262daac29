// node_modules, in step with package-lock.json.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, link, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bringNode, environmentWith, isWanted, npmOn } from './node.mjs'
import { capture, quietly, step } from './run.mjs'

/** Installs what package-lock.json says, unless it is installed already. */
export async function bringPackages(root) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const stamp = join(root, 'node_modules', '.in-step-with')
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${lock}`).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  if (!installedByHand(root, JSON.parse(lock))) {
    const nodeDirectory = await bringNode(root, { lasting: true })
    await step('Installing the packages (npm ci)', () => install(root, nodeDirectory))
  }
  await writeFile(stamp, hash)
}

/** Whether someone's own `npm install` has left exactly what the lock says. */
function installedByHand(root, lock) {
  const path = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(path)) return false
  const installed = JSON.parse(readFileSync(path, 'utf8')).packages
  return Object.entries(lock.packages)
    .filter(([place, { optional, link }]) => place.includes('node_modules/') && !optional && !link)
    .every(([place, { version }]) => installed[place]?.version === version && existsSync(join(root, place)))
}

async function install(root, nodeDirectory) {
  const env = { ...environmentWith(nodeDirectory), npm_config_globalconfig: await globalConfig() }
  const [npm, ...script] = npmOn(nodeDirectory)
  // Said aloud because NODE_ENV=production would leave them out, and `npm test` would then install all over again.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const next = 'Check the connection to the npm registry and the space on the disk, and start again.'
  // Without scripts: theirs would bring this Node a second time, and make links that the product makes itself (decision 991).
  const without = (await isWanted(root, nodeDirectory)) ? ['--ignore-scripts'] : []
  await quietly(npm, [...script, ...args, ...without], { cwd: root, env, next })
  await completeNode(root, nodeDirectory)
}

/** Where the machine's npm settings are (a proxy, a certificate): npm looks beside the Node that runs it, and ours is new. */
async function globalConfig() {
  if (process.env.npm_config_globalconfig) return process.env.npm_config_globalconfig
  const { code, output } = await capture('npm', ['config', 'get', 'globalconfig', '--loglevel=silent'])
  return code === 0 ? output.trim() : undefined
}

/** `npm run …` finds `node` in node_modules first: without install scripts that place is empty. */
async function completeNode(root, nodeDirectory) {
  const command = join(root, 'node_modules', '.bin', 'node')
  if ((await capture(command, ['--version'])).code === 0) return
  const program = join(root, 'node_modules', 'node', 'bin', 'node')
  await mkdir(dirname(program), { recursive: true })
  await rm(program, { force: true })
  await link(join(nodeDirectory, 'node'), program).catch(() => copyFile(join(nodeDirectory, 'node'), program))
  await rm(command, { force: true })
  await symlink(join('..', 'node', 'bin', 'node'), command)
}
