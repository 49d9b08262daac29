// A Node that runs TypeScript as it is, and an npm that runs on it.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture, quietly, step } from './run.mjs'

/**
 * The directory of a Node that is new enough: this one's, else one brought before, else brought now.
 * With `lasting` it is outside node_modules, which the installation of the packages replaces.
 */
export async function bringNode(root, { lasting }) {
  const found = await findNode(root, { lasting })
  if (found) return found
  await step(`Bringing Node ${wanted(root)} (found here: ${process.versions.node})`, () => install(root))
  for (const place of ownPlaces(root)) if (await isNewEnough(place)) return place
  throw new Error('The Node that was just installed does not run')
}

/** The same without bringing one; undefined when there is none. */
export async function findNode(root, { lasting }) {
  const packaged = join(root, 'node_modules')
  const places = [dirname(process.execPath), ...pathOf(process.env), ...ownPlaces(root)]
  if (!lasting) places.push(...placesIn(packaged))
  for (const place of new Set(places)) {
    if (lasting && existsSync(place) && realpathSync(place).startsWith(realpathSync(root) + '/node_modules')) continue
    if (await isNewEnough(place)) return place
  }
  return undefined
}

/**
 * The environment for every child: that Node first on the path, what it compiles kept for the next start (which then takes
 * half the time), and nothing of the npm that may run us.
 */
export function environmentWith(nodeDirectory) {
  const passed = Object.entries(process.env).filter(([name]) => !ofOuterNpm.test(name))
  return {
    NODE_COMPILE_CACHE: join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.cache', 'node'),
    ...Object.fromEntries(passed),
    PATH: [nodeDirectory, process.env.PATH].join(delimiter),
  }
}

/** How to call the npm on the path, on the Node of `nodeDirectory` whatever npm's own first line says. */
export function npmOn(nodeDirectory) {
  for (const place of pathOf(process.env)) {
    const npm = join(place, 'npm')
    if (!existsSync(npm)) continue
    const script = realpathSync(npm)
    return script.endsWith('.js') ? [join(nodeDirectory, 'node'), script] : [npm]
  }
  return ['npm']
}

// Run scripts, and the place of the outer package, are none of the inner npm's business.
const ofOuterNpm = /^(npm_(package|lifecycle)_|npm_(command|execpath|node_execpath|config_local_prefix)$|INIT_CWD$)/i

function pathOf({ PATH = '' }) {
  return PATH.split(delimiter).filter(Boolean)
}

function ownPlaces(root) {
  return placesIn(join(root, '.node', 'node_modules'))
}

/** Where the package `node` has the program, and where the package it fetches by its install script has it. */
function placesIn(modules) {
  return [join(modules, 'node', 'bin'), join(modules, platformPackage(), 'bin')]
}

function platformPackage() {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${process.platform}-${process.arch}`
}

async function isNewEnough(place) {
  const node = join(place, 'node')
  if (!existsSync(node)) return false
  const { code, output } = await capture(node, ['--version'])
  const [major, minor] = output.replace('v', '').split('.').map(Number)
  // The first versions that take types off without being asked to.
  return code === 0 && (major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18))
}

/** Whether this directory's Node is the one that the packages ask for. */
export async function isWanted(root, directory) {
  return (await capture(join(directory, 'node'), ['--version'])).output.trim() === `v${wanted(root)}`
}

function wanted(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.node
}

async function install(root) {
  const version = wanted(root)
  const home = join(root, '.node')
  const making = join(home, `making-${process.pid}`)
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { recursive: true })
  await writeFile(join(making, 'package.json'), JSON.stringify({ private: true }))
  const next = 'Check the connection to the npm registry and start again, or install Node 24 yourself.'
  // The program's own package: that of the name `node` would fetch it by a script.
  const name = `${platformPackage()}@${version}`
  await quietly(
    'npm',
    ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', name],
    {
      cwd: making,
      env: environmentWith(dirname(process.execPath)),
      next,
    },
  )
  await rm(join(home, 'node_modules'), { recursive: true, force: true })
  await rename(join(making, 'node_modules'), join(home, 'node_modules'))
  await removeUnfinished(home)
}

/** What this start and killed ones have left; another start may be at work beside us. */
async function removeUnfinished(home) {
  for (const name of await readdir(home)) {
    const pid = Number(/^making-(\d+)$/.exec(name)?.[1])
    if (pid && (pid === process.pid || !existsSync(`/proc/${pid}`))) {
      await rm(join(home, name), { recursive: true, force: true })
    }
  }
}
