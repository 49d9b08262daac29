// npm run prove -- recording-browsers: 30 browsers are killed while they record; what they called safe arrives once. The panel
// must have been built; PROVE_SEED=… repeats a run.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const playwright = join(root, 'node_modules/.bin/playwright')
const journey = [
  'test',
  '-c',
  'e2e/playwright.config.ts',
  'recording.e2e',
  '-g',
  'browser is killed',
  '--project',
  'desktop',
]
const { status } = spawnSync(
  process.execPath,
  [playwright, ...journey, '--timeout', '1800000', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
