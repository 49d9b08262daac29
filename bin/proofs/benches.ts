// npm run prove -- benches: every bench of package.json in its shortest form, so that each figure of the README can be
// measured again after what it measures has changed. The figures of these runs are worth nothing. The panel must have
// been built; names after it choose some.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** What makes each bench short. `web` looks at headers only, and fetches its tools. */
const shortest: Record<string, { args: string[]; env?: Record<string, string> }> = {
  ahead: { args: ['--short'] },
  api: { args: ['--small', '10000', '--large', '20000', '--rounds', '1'] },
  captions: { args: [] },
  commits: { args: [], env: { SECONDS: '0.5', CLIENTS: '4' } },
  hands: { args: ['--seed', '1'] },
  notifications: { args: ['--people', '500'] },
  preview: { args: ['--minutes', '0.1', '--takes', '1', '--presses', '5'] },
  render: { args: ['--seconds', '10', '--rounds', '1'] },
  storage: { args: ['--megabytes', '8', '--rounds', '1'] },
  takes: { args: ['marks'] },
  uploads: { args: ['--uploads', '10', '--seconds', '2', '--rounds', '1'] },
  web: { args: ['--only', 'headers'] },
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const benches = Object.keys(scripts)
  .filter((name) => name.startsWith('bench:'))
  .map((name) => name.slice('bench:'.length))
const unknown = [
  ...benches.filter((name) => !shortest[name]),
  ...Object.keys(shortest).filter((name) => !benches.includes(name)),
]
if (unknown.length > 0) throw new Error(`bin/proofs/benches.ts and package.json disagree about: ${unknown.join(', ')}`)
const chosen = process.argv.slice(2)
const missing = chosen.filter((name) => !benches.includes(name))
if (missing.length > 0) throw new Error(`There is no bench:${missing.join(', bench:')}`)

const broken: string[] = []
for (const name of benches) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const { args, env } = shortest[name]!
  console.log(`\n→ bench:${name} ${args.join(' ')}`)
  const begun = Date.now()
  const { status } = spawnSync(process.execPath, [join(root, 'bench', `${name}.ts`), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  console.log(`  ${status === 0 ? 'ran' : 'broke'} after ${Math.round((Date.now() - begun) / 1000)} s`)
  if (status !== 0) broken.push(name)
}
if (broken.length > 0) {
  console.error(`\nBroken: ${broken.join(', ')}`)
  process.exitCode = 1
}
