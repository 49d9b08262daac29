// npm run prove -- recording-clap: how far picture and sound of a recorded take lie apart, in the file that arrived. The panel
// must have been built.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const playwright = join(root, 'node_modules/.bin/playwright')
const journey = ['test', '-c', 'e2e/playwright.config.ts', 'recording-clap.e2e', '--project', 'desktop']
const { status } = spawnSync(process.execPath, [playwright, ...journey, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
