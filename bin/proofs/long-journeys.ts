// npm run prove -- long-journeys: the journeys that npm test leaves out (e2e/walks.ts), at the screens that they ask for. The
// panel must have been built, as npm test does; JOURNEY_DEMO=… brings the demo that they begin with.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const playwright = join(root, 'node_modules/.bin/playwright')
const { PROVE: _prove, ...env } = process.env
const journeys = [playwright, 'test', '-c', 'e2e/playwright.config.ts', '--retries=1', ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, journeys, {
  cwd: root,
  env: { ...env, JOURNEYS: 'long' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
