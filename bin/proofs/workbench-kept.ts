// npm run prove -- workbench-kept: a network lost for five real minutes, and browsers killed at random moments, while an
// editor works. The panel must have been built; PROVE_SEED=… repeats a run, ROUNDS=… says how many browsers are killed.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const playwright = join(root, 'node_modules/.bin/playwright')
const journey = ['test', '-c', 'e2e/playwright.config.ts', 'workbench-kept.e2e', '--project', 'desktop']
const { status } = spawnSync(process.execPath, [playwright, ...journey, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
