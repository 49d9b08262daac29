// npm run prove -- recording-speed: what recording costs its page, in figures. The panel
// must have been built.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const playwright = join(root, 'node_modules/.bin/playwright')
const journey = ['test', '-c', 'e2e/playwright.config.ts', 'recording-speed.e2e', '--project', 'desktop']
const { status } = spawnSync(process.execPath, [playwright, ...journey, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
