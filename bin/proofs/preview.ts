// npm run prove -- preview: random recipes with every kind of layer, in the browser's preview and in the finished file. The
// panel must have been built; PROVE_SEED=… repeats a run.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const playwright = join(root, 'node_modules/.bin/playwright')
const journey = [
  'test',
  '-c',
  'e2e/playwright.config.ts',
  'e2e/preview\\.e2e\\.ts',
  '--project',
  'desktop',
  '--workers',
  '1',
]
const { status } = spawnSync(process.execPath, [playwright, ...journey, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
