// The panel, bundled. It is built again only when something that it is made of has changed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { npmOn } from './node.mjs'
import { quietly, step } from './run.mjs'

/** Builds web/dist unless it is up to date. */
export async function buildWeb(root, { env, nodeDirectory }) {
  const stamp = join(root, 'node_modules', '.web-built-from')
  const hash = await hashOfSources(root)
  const isBuilt = existsSync(join(root, 'web', 'dist', 'index.html'))
  if (isBuilt && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  const [npm, ...script] = npmOn(nodeDirectory)
  const next = 'The panel could not be built: correct what the message names, and start again.'
  await step('Building the panel', () =>
    quietly(npm, [...script, 'run', '--silent', 'build', '--workspace', 'web'], { cwd: root, env, next }),
  )
  await writeFile(stamp, hash)
}

/** web itself and the rooms that it imports. */
async function hashOfSources(root) {
  const files = ['package-lock.json']
  for (const room of ['web', 'contract', 'domain', 'edit']) files.push(...(await filesBelow(root, room)))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(join(root, file)))
  return hash.digest('hex')
}

async function filesBelow(root, directory) {
  const entries = await readdir(join(root, directory), { withFileTypes: true })
  const found = entries.map((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return ['dist', 'node_modules'].includes(entry.name) ? [] : filesBelow(root, path)
    return entry.isFile() && !entry.name.endsWith('.test.ts') ? [path] : []
  })
  return (await Promise.all(found)).flat()
}
